package io.stowline.spring.boot.actuate;

import io.stowline.Stowline;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** A contributor that shows the version of Stowline, and the account and endpoints of each client by the name of its bean. */
final class StowlineInfoContributor implements InfoContributor {

    private final Map<String, Stowline> clients;

    StowlineInfoContributor(Map<String, Stowline> clients) {
        this.clients = Map.copyOf(clients);
    }

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Object> accounts = new LinkedHashMap<>();
        clients.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(client -> accounts.put(client.getKey(), account(client.getValue())));
        Map<String, Object> details = new LinkedHashMap<>();
        String version = StowlineEndpoint.version();
        if (version != null) {
            details.put("version", version);
        }
        details.put("clients", accounts);
        builder.withDetail("stowline", details);
    }

    private static Map<String, Object> account(Stowline client) {
        Map<String, String> endpoints = new LinkedHashMap<>();
        client.endpoints().forEach((service, endpoint) -> endpoints.put(service, endpoint.toString()));
        return Map.of("account", client.accountName(), "endpoints", endpoints);
    }
}
