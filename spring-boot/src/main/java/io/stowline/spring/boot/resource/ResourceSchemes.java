package io.stowline.spring.boot.resource;

import io.stowline.Stowline;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.PropertyValue;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.autoconfigure.AccountProperties;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;

/** The schemes of locations, each of which stands for an account of the application's properties. Immutable and thread-safe. */
final class ResourceSchemes {

    private static final String DEFAULT = "azure-blob";
    private static final Pattern ALLOWED = Pattern.compile("[a-z][a-z0-9+.-]{1,31}");
    private static final Set<String> TAKEN =
            Set.of("classpath", "file", "jar", "war", "zip", "http", "https", "ftp", "optional", "configtree", "env");

    private final Map<String, String> accounts = new TreeMap<>();

    private ResourceSchemes() {}

    /**
     * Reads the schemes from properties.
     *
     * @throws StowlineConfigurationException if one is malformed, taken by Spring, or that of two accounts
     */
    static ResourceSchemes of(Binder binder) {
        ResourceSchemes schemes = new ResourceSchemes();
        schemes.add(
                AccountClients.MAIN,
                binder.bind(AccountProperties.PREFIX + ".resource-scheme", String.class)
                        .orElse(DEFAULT));
        new TreeMap<>(binder.bind(
                                AccountProperties.PREFIX + ".accounts",
                                Bindable.mapOf(String.class, AccountProperties.class))
                        .orElseGet(Map::of))
                .forEach((name, account) -> schemes.add(name, account.resourceScheme()));
        return schemes;
    }

    private void add(String account, @Nullable String scheme) {
        if (scheme == null) {
            return;
        }
        PropertyValue<String> property =
                new PropertyValue<>(AccountClients.prefix(account) + ".resource-scheme", scheme);
        if (!ALLOWED.matcher(scheme).matches() || TAKEN.contains(scheme)) {
            throw property.refused(
                    "a scheme has 2 to 32 lower-case letters, digits and '+ - .', begins with a letter, and is none of"
                            + " Spring's");
        }
        String other = accounts.putIfAbsent(scheme, account);
        if (other != null) {
            throw property.refused("the account '" + other + "' has this scheme, too");
        }
    }

    Set<String> all() {
        return accounts.keySet();
    }

    /** Returns the account of a location, or null if its scheme is none of these. */
    @Nullable
    String account(String location) {
        return accounts.get(location.substring(0, Math.max(0, location.indexOf(':'))));
    }

    /** Returns the application's client of an account. */
    static Stowline client(BeanFactory beans, String account) {
        return beans.getBean(AccountClients.class).client("The scheme of a resource", account);
    }
}
