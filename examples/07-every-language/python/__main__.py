import pulumi
import agentdeployments_deployment_service as service

config = pulumi.Config()

weather = service.Deployment(
    "weather",
    source=service.Source.EXTERNAL_CONTAINER,
    source_revision_config={"image_uri": "registry.example.com/weather:2.0.1"},
)

travel = service.Deployment(
    "travel",
    source=service.Source.EXTERNAL_CONTAINER,
    source_config={
        "resource_spec": {
            "min_scale": 1,
            "max_scale": 3,
            "cpu": 0.5,
            "memory_mb": 1024,
            "labels": {"team": "agents"},
        },
    },
    source_revision_config={"image_uri": "registry.example.com/travel:1.4.2"},
    secrets={"MODEL_API_KEY": config.require_secret("modelApiKey")},
    triggers=[weather.latest_revision_id],
    opts=pulumi.ResourceOptions(custom_timeouts=pulumi.CustomTimeouts(create="1h")),
)

pulumi.export("url", travel.url)
pulumi.export("generation", travel.generation)
