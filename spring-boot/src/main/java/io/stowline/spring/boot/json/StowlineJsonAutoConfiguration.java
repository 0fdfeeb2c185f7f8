package io.stowline.spring.boot.json;

import com.azure.core.util.serializer.JsonSerializer;
import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/**
 * An auto-configuration that has clients map the bodies of messages by the {@code JsonMapper} of the application, where there is one. A bean of
 * type {@link JsonSerializer} takes its place.
 */
@AutoConfiguration(
        before = StowlineAutoConfiguration.class,
        afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnClass(Stowline.class)
public final class StowlineJsonAutoConfiguration {

    /** Made by Spring. */
    StowlineJsonAutoConfiguration() {}

    @Bean
    BodyMapping stowlineBodyMapping(Environment environment, ObjectProvider<JsonSerializer> serializer) {
        return new BodyMapping(environment, serializer);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    @ConditionalOnSingleCandidate(JsonMapper.class)
    @ConditionalOnMissingBean(JsonSerializer.class)
    static class ByMapper {

        @Bean
        MapperSerializer stowlineMapperSerializer(JsonMapper mapper) {
            return new MapperSerializer(mapper);
        }
    }
}
