package io.stowline.spring.boot.web;

import io.stowline.Stowline;
import io.stowline.error.FailureDetails;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.retry.Backoff;
import io.stowline.spring.boot.AccountsInMemory;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockServletContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** An application of Spring MVC over two accounts in memory, the default one and {@code archive}. */
final class WebApplication implements AutoCloseable {

    final AccountsInMemory accounts = new QuickAccounts();
    final MemoryStorage main = accounts.main;
    final MemoryStorage archive = accounts.archive;
    final MockMvc mvc;

    private final AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();

    record Runner(@PartitionKey String race, @RowKey String bib, int age) {}

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Mvc {}

    private static final class QuickAccounts extends AccountsInMemory {

        @Override
        public void customize(String account, Stowline.Builder builder) {
            super.customize(account, builder);
            builder.retry(r -> r.backoff(Backoff.fixed(Duration.ofMillis(1))));
        }
    }

    WebApplication(Map<String, Object> properties, Class<?>... components) {
        Map<String, Object> all = new HashMap<>(properties);
        all.putAll(accounts.properties());
        context.setServletContext(new MockServletContext());
        context.getEnvironment().getPropertySources().addFirst(new OriginTrackedMapPropertySource("test", all));
        context.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("accountsInMemory", accounts));
        context.register(Mvc.class, StowlineAutoConfiguration.class, StowlineWebAutoConfiguration.class);
        context.register(components);
        context.refresh();
        mvc = MockMvcBuilders.webAppContextSetup(context).build();
    }

    static WebApplicationContextRunner runner() {
        return new WebApplicationContextRunner()
                .withUserConfiguration(Mvc.class)
                .withConfiguration(
                        AutoConfigurations.of(StowlineAutoConfiguration.class, StowlineWebAutoConfiguration.class));
    }

    /** Returns facts of a failed request, each with a mark by which a leak is seen. */
    static FailureDetails facts(int status, String code, int unanswered, @Nullable Duration retryAfter) {
        return new FailureDetails(
                "insert",
                "secret-table(secret-partition, secret-row)",
                status,
                code,
                "secret message of https://secretaccount.table.core.windows.net",
                3,
                unanswered,
                Duration.ofSeconds(1),
                retryAfter,
                "client-id-1",
                "secret-request-id",
                "secret reason");
    }

    MockHttpServletResponse send(RequestBuilder request) throws Exception {
        return mvc.perform(request).andReturn().getResponse();
    }

    <B> B bean(Class<B> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }
}
