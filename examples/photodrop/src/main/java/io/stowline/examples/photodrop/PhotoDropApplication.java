package io.stowline.examples.photodrop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Import;

/** The Spring Boot application of the photo drop. It needs an account: see {@code stowline.*} in the documentation of the starter. */
@SpringBootApplication
@ConfigurationPropertiesScan
@Import(PhotoStorage.class)
public class PhotoDropApplication {

    /**
     * Starts the service.
     *
     * @param arguments properties, such as {@code --stowline.connection-string=..}
     */
    public static void main(String[] arguments) {
        SpringApplication.run(PhotoDropApplication.class, arguments);
    }
}
