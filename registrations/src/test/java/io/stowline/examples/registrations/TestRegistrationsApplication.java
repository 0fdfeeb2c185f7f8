package io.stowline.examples.registrations;

import io.stowline.spring.boot.test.AzuriteDevServices;
import org.springframework.boot.SpringApplication;

/** The service over an Azurite that starts and ends with it: {@code mvn spring-boot:test-run} runs it. */
class TestRegistrationsApplication {

    public static void main(String[] arguments) {
        SpringApplication.from(RegistrationsApplication::main)
                .with(AzuriteDevServices.class)
                .run("--stowline.create-missing=true");
    }
}
