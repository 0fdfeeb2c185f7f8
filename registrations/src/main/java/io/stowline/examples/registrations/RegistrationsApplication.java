package io.stowline.examples.registrations;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Import;

/**
 * The Spring Boot application of the registrations. It needs an account: see {@code stowline.*} in the documentation of
 * the starter.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
@Import(RegistrationTables.class)
public class RegistrationsApplication {

    /**
     * Starts the service.
     *
     * @param arguments properties, such as {@code --stowline.connection-string=..}
     */
    public static void main(String[] arguments) {
        SpringApplication.run(RegistrationsApplication.class, arguments);
    }
}
