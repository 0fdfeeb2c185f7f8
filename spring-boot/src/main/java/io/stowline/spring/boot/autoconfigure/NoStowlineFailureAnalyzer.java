package io.stowline.spring.boot.autoconfigure;

import io.stowline.ReactiveStowline;
import io.stowline.Stowline;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** An analyzer that names the properties to set when a bean needs a client and no account is configured. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class NoStowlineFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    /** Made by Spring Boot. */
    NoStowlineFailureAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        Class<?> type = cause.getResolvableType() == null
                ? null
                : cause.getResolvableType().toClass();
        if (cause instanceof NoUniqueBeanDefinitionException
                || (type != Stowline.class && type != ReactiveStowline.class)) {
            return null;
        }
        return new FailureAnalysis(
                "A bean needs the main client of Azure storage (" + type.getSimpleName()
                        + "), but no storage account is configured for it.",
                """
                Set the account of the application by one of:
                    - 'stowline.connection-string'
                    - 'stowline.account-name' and 'stowline.account-key'
                    - 'stowline.endpoint' and 'stowline.sas-token'
                    - 'stowline.endpoint' or 'stowline.account-name', and a bean of type com.azure.core.credential.TokenCredential
                    - a Testcontainers or Docker Compose service connection of Azurite
                For an emulator on this machine set 'stowline.connection-string' to 'UseDevelopmentStorage=true'.
                'stowline.accounts.<name>' sets a further account: inject its client with @Qualifier("<name>"), and declare its resources by account("<name>").""",
                cause);
    }
}
