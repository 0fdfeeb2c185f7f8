package io.stowline.examples.photodrop;

import io.stowline.Stowline;
import io.stowline.service.Cors;
import io.stowline.service.CorsRule;
import io.stowline.service.ServiceType;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/**
 * The CORS rule that opens the storage to the page, set when the service starts. It goes first, since the first rule with an origin decides; the rules of
 * other applications stay behind it.
 */
@Component
class BrowserAccess implements ApplicationRunner {

    private final Stowline storage;
    private final CorsRule rule;

    BrowserAccess(Stowline storage, PhotoDropSettings settings) {
        this.storage = storage;
        this.rule = CorsRule.builder()
                .allowedOrigins(settings.origins().toArray(String[]::new))
                .allowedMethods("PUT")
                .allowedHeaders("content-type", "x-ms-blob-content-type")
                .exposedHeaders("x-ms-error-code")
                .build();
    }

    @Override
    public void run(ApplicationArguments arguments) {
        Cors cors = storage.cors(ServiceType.BLOB);
        List<CorsRule> rules = new ArrayList<>(cors.rules());
        if (!rules.contains(rule)) {
            rules.removeIf(other -> other.allowedOrigins().equals(rule.allowedOrigins()));
            rules.add(0, rule);
            cors.set(rules);
        }
    }
}
