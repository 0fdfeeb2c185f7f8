package io.stowline.examples.registrations;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the components share. */
@Configuration(proxyBeanMethods = false)
class RegistrationsConfiguration {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }
}
