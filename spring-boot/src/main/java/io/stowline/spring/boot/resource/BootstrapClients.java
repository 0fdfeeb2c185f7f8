package io.stowline.spring.boot.resource;

import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.spring.boot.autoconfigure.StowlineClientFactory;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.bootstrap.BootstrapRegistry.InstanceSupplier;
import org.springframework.boot.bootstrap.ConfigurableBootstrapContext;

/** The clients that import configuration before there are beans. They are closed when the application has its context. */
final class BootstrapClients {

    private final ConfigurableBootstrapContext context;
    private final Map<String, Stowline> clients = new HashMap<>();

    private BootstrapClients(ConfigurableBootstrapContext context) {
        this.context = context;
    }

    static BootstrapClients of(ConfigurableBootstrapContext context) {
        BootstrapClients known = context.getOrElse(BootstrapClients.class, null);
        if (known != null) {
            return known;
        }
        BootstrapClients made = new BootstrapClients(context);
        context.register(BootstrapClients.class, InstanceSupplier.of(made));
        context.addCloseListener(event -> made.close());
        return made;
    }

    /** Returns the client of a resource's account, which the application may have customized. */
    Stowline client(BlobConfigDataResource resource) {
        StowlineBuilderCustomizer customizer = context.getOrElse(StowlineBuilderCustomizer.class, null);
        return clients.computeIfAbsent(
                resource.account(),
                account -> StowlineClientFactory.fromProperties(
                        account, resource.properties(), customizer == null ? builder -> {} : customizer));
    }

    private void close() {
        clients.values().forEach(Stowline::close);
        clients.clear();
    }
}
