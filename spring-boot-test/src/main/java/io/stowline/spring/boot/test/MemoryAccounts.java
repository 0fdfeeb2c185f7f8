package io.stowline.spring.boot.test;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.Stowline;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import reactor.core.publisher.Mono;

/** The accounts in memory of an application context: the main one, and one for each further account, which is made at its first use. Thread-safe. */
final class MemoryAccounts {

    private final MemoryStorage main;
    private final Map<String, MemoryStorage> further = new LinkedHashMap<>();

    MemoryAccounts(MemoryStorage main) {
        this.main = main;
    }

    /**
     * Returns a further account.
     *
     * @param account the name below {@code stowline.accounts}
     */
    synchronized MemoryStorage of(String account) {
        return further.computeIfAbsent(account, name -> MemoryStorage.create());
    }

    /** Has the requests of a client go to the account that their host names. */
    void connect(Stowline.Builder builder) {
        builder.httpClient(this::send);
    }

    private Mono<HttpResponse> send(HttpRequest request) {
        return client(request.getUrl().getHost()).send(request);
    }

    private synchronized HttpClient client(String host) {
        List<MemoryStorage> accounts = new ArrayList<>(further.values());
        accounts.add(main);
        return accounts.stream()
                .filter(account -> host.startsWith(account.accountName() + "."))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the host '" + host
                        + "' is of no account in memory: the clients of this test connect by the beans"
                        + " of MemoryStorage alone; remove the connection details of this host, or the"
                        + " storage in memory"))
                .httpClient();
    }

    /** A registrar of the accounts of the properties as beans, each qualified by its name and never injected by its type alone. */
    static final class Registrar implements ImportBeanDefinitionRegistrar {

        private final Environment environment;

        /** Made by Spring. */
        Registrar(Environment environment) {
            this.environment = environment;
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            Binder.get(environment)
                    .bind("stowline.accounts", Bindable.mapOf(String.class, Object.class))
                    .orElseGet(Map::of)
                    .keySet()
                    .forEach(
                            account -> registry.registerBeanDefinition(account + "MemoryStorage", definition(account)));
        }

        private static BeanDefinition definition(String account) {
            RootBeanDefinition definition = new RootBeanDefinition(MemoryStorage.class);
            definition.setFactoryBeanName("stowlineMemoryAccounts");
            definition.setFactoryMethodName("of");
            definition.getConstructorArgumentValues().addGenericArgumentValue(account);
            definition.setDefaultCandidate(false);
            // The main account is a fallback, too, and a lookup by type would prefer the only one that is none.
            definition.setFallback(true);
            definition.setAttribute(AutowireCandidateQualifier.VALUE_KEY, account);
            return definition;
        }
    }
}
