package io.stowline.examples.registrations;

import io.stowline.spring.boot.autoconfigure.WriterDefaults;
import io.stowline.table.TableWriter;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the components share. */
@Configuration(proxyBeanMethods = false)
class RegistrationsConfiguration {

    /** One writer for all imports, whose buffer bounds what they hold together. Spring closes it after the web server. */
    @Bean
    TableWriter<Runner> runnerWriter(Runners runners, WriterDefaults defaults) {
        return runners.table().writer(defaults);
    }

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }
}
