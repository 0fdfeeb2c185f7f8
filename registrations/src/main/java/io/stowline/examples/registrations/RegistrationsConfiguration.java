package io.stowline.examples.registrations;

import io.stowline.spring.boot.autoconfigure.WriterDefaults;
import io.stowline.table.TableWriter;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans that the components share. */
@Configuration(proxyBeanMethods = false)
class RegistrationsConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(RegistrationsConfiguration.class);

    /**
     * Makes one writer for all imports, whose buffer bounds their memory together. Spring closes it after the web
     * server.
     */
    @Bean
    TableWriter<Runner> runnerWriter(Runners runners, WriterDefaults defaults) {
        return runners.table().writer(defaults);
    }

    /** Makes the sender of mails, which only logs. The log has no addresses. */
    @Bean
    @ConditionalOnMissingBean
    ConfirmationMail confirmationMail() {
        return confirmation ->
                LOG.info("The registration of bib {} for {} is confirmed", confirmation.bib(), confirmation.race());
    }

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }
}
