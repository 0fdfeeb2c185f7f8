package io.stowline.spring.boot.web;

import io.stowline.Stowline;
import io.stowline.journal.JournalException;
import io.stowline.records.RecordReadException;
import io.stowline.ring.PartitionMovingException;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * An auto-configuration of Spring MVC that turns exceptions of the client into problem details, unless {@code stowline.web.problem-details.enabled=false},
 * and resolves the arguments {@link IfMatch} and {@link PageParameters} of handler methods.
 */
@AutoConfiguration(after = StowlineAutoConfiguration.class)
@ConditionalOnClass({Stowline.class, WebMvcConfigurer.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableConfigurationProperties(WebProperties.class)
public final class StowlineWebAutoConfiguration {

    /** Made by Spring. */
    StowlineWebAutoConfiguration() {}

    @Bean
    @ConditionalOnBooleanProperty(name = WebProperties.PROBLEM_DETAILS_ENABLED, matchIfMissing = true)
    ProblemAdvice stowlineProblemAdvice(WebProperties properties) {
        return new ProblemAdvice(properties.checkedTypePrefix());
    }

    @Bean
    WebArguments stowlineWebArguments(WebProperties properties) {
        return new WebArguments(properties.checkedPage());
    }

    /** The advice of rings, whose module is optional. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PartitionMovingException.class)
    @ConditionalOnBooleanProperty(name = WebProperties.PROBLEM_DETAILS_ENABLED, matchIfMissing = true)
    static class RingProblemConfiguration {

        @Bean
        RingProblemAdvice stowlineRingProblemAdvice(ProblemAdvice stowlineProblemAdvice) {
            return new RingProblemAdvice(stowlineProblemAdvice);
        }
    }

    /** The advice of journals, whose module is optional. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JournalException.class)
    @ConditionalOnBooleanProperty(name = WebProperties.PROBLEM_DETAILS_ENABLED, matchIfMissing = true)
    static class JournalProblemConfiguration {

        @Bean
        JournalProblemAdvice stowlineJournalProblemAdvice(ProblemAdvice stowlineProblemAdvice) {
            return new JournalProblemAdvice(stowlineProblemAdvice);
        }
    }

    /** The advice of records in blobs, whose module is optional. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RecordReadException.class)
    @ConditionalOnBooleanProperty(name = WebProperties.PROBLEM_DETAILS_ENABLED, matchIfMissing = true)
    static class RecordProblemConfiguration {

        @Bean
        RecordProblemAdvice stowlineRecordProblemAdvice(ProblemAdvice stowlineProblemAdvice) {
            return new RecordProblemAdvice(stowlineProblemAdvice);
        }
    }
}
