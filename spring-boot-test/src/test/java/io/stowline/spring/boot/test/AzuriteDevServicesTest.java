package io.stowline.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.spring.boot.test.MarathonApplication.Runner;
import io.stowline.testkit.Azurite;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

class AzuriteDevServicesTest {

    @Test
    void runsTheApplicationOverAnAzuriteThatEndsWithIt() {
        Azurite azurite;
        try (ConfigurableApplicationContext context = SpringApplication.from(MarathonApplication::main)
                .with(AzuriteDevServices.class)
                .run("--stowline.create-missing=true")
                .getApplicationContext()) {
            azurite = context.getBean(Azurite.class);
            context.getBean(Registrations.class).register(new Runner("2026", "1", "Ann"));

            assertThat(context.getBean(Stowline.class)
                            .table("registrations", Runner.class)
                            .find("2026", "1"))
                    .isPresent();
        }
        assertThat(azurite.isAlive()).isFalse();
    }
}
