package io.stowline.spring.boot.json;

import com.azure.core.util.serializer.JsonSerializer;
import io.stowline.Stowline;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.PropertyValue;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * The choice of the mapping of message bodies, for each account: {@code stowline.queue.json} and {@code stowline.accounts.<name>.queue.json}. It
 * comes before the application's customizers, which may choose another one. Thread-safe.
 */
final class BodyMapping implements StowlineBuilderCustomizer, Ordered {

    private static final String PROPERTY = ".queue.json";
    private static final String LIBRARY = "library";
    private static final String BOOT = "boot";

    private final Environment environment;
    private final ObjectProvider<JsonSerializer> serializer;

    BodyMapping(Environment environment, ObjectProvider<JsonSerializer> serializer) {
        this.environment = environment;
        this.serializer = serializer;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public boolean supports(String account) {
        String property = AccountClients.prefix(account) + PROPERTY;
        if (!environment.containsProperty(property)) {
            property = AccountClients.MAIN + PROPERTY;
        }
        String value = environment.getProperty(property);
        if (value == null) {
            return serializer.getIfUnique() != null;
        }
        if (value.equalsIgnoreCase(LIBRARY)) {
            return false;
        }
        String fault = value.equalsIgnoreCase(BOOT) ? missing() : "it is '" + BOOT + "' or '" + LIBRARY + "'";
        if (fault != null) {
            throw new PropertyValue<>(property, value).refused(fault);
        }
        return true;
    }

    private @Nullable String missing() {
        return serializer.getIfUnique() != null
                ? null
                : "there is no single bean of type tools.jackson.databind.json.JsonMapper: add"
                        + " spring-boot-starter-jackson, mark one of several as primary, or set '" + LIBRARY + "'";
    }

    @Override
    public void customize(Stowline.Builder builder) {
        builder.messageSerializer(serializer.getObject());
    }
}
