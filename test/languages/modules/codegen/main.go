// Command codegen makes the SDKs of a package's schema: codegen SCHEMA FOLDER, into FOLDER/nodejs and so on.
//
// It calls what the language hosts call for `pulumi package add`. The hosts of that age are no modules that can be built.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	dotnet "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3/codegen"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi"

type files = map[string][]byte

// Loads the packages that the schema refers to, of which there are none.
var loader = struct{ schema.ReferenceLoader }{}

// Each generator marks the package that it is given: each gets its own.
var generators = map[string]func(*schema.Package) (files, error){
	"nodejs": func(pkg *schema.Package) (files, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, true, loader)
	},
	"python": func(pkg *schema.Package) (files, error) {
		return python.GeneratePackage(tool, pkg, nil, loader)
	},
	"go": func(pkg *schema.Package) (files, error) {
		return golang.GeneratePackage(tool, pkg, nil)
	},
	"dotnet": func(pkg *schema.Package) (files, error) {
		// Pulumi's own would be downloaded.
		logo := httptest.NewServer(http.NotFoundHandler())
		defer logo.Close()
		pkg.LogoURL = logo.URL
		return dotnet.GeneratePackage(tool, pkg, nil, nil)
	},
}

func main() {
	for language, generate := range generators {
		if err := write(os.Args[1], filepath.Join(os.Args[2], language), generate); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", language, err)
			os.Exit(1)
		}
	}
}

func write(schemaFile, folder string, generate func(*schema.Package) (files, error)) error {
	pkg, err := read(schemaFile)
	if err != nil {
		return err
	}
	generated, err := generate(pkg)
	if err != nil {
		return err
	}
	for name, content := range generated {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func read(schemaFile string) (*schema.Package, error) {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	// As `pulumi package add` has it, whose SDKs are for one project.
	pkg.SupportPack = true
	return pkg, nil
}
