package io.stowline.spring.boot.actuate;

import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * An auto-configuration that adds the version of Stowline and the accounts of its clients to the endpoint {@code info}. {@code management.info.stowline.enabled} switches
 * it off.
 */
@AutoConfiguration(after = StowlineAutoConfiguration.class)
@ConditionalOnClass({Stowline.class, InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnBean(Stowline.class)
@ConditionalOnEnabledInfoContributor("stowline")
public final class StowlineInfoAutoConfiguration {

    /** Made by Spring. */
    StowlineInfoAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    StowlineInfoContributor stowlineInfoContributor(ListableBeanFactory beans) {
        return new StowlineInfoContributor(beans.getBeansOfType(Stowline.class));
    }
}
