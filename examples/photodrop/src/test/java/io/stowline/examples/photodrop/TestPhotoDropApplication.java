package io.stowline.examples.photodrop;

import io.stowline.spring.boot.test.AzuriteDevServices;
import org.springframework.boot.SpringApplication;

/** The service over an Azurite that starts and ends with it: {@code mvn spring-boot:test-run} runs it. */
class TestPhotoDropApplication {

    public static void main(String[] arguments) {
        SpringApplication.from(PhotoDropApplication::main)
                .with(AzuriteDevServices.class)
                .run("--stowline.create-missing=true");
    }
}
