package io.stowline.transport.internal.account;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The account of a connection string: key or shared access signature, host style, explicit and secondary endpoints, or the
 * emulator's short form. Explicit endpoints alone imply no others, so that one can never reach another cloud by omission.
 */
public final class ConnectionString {

    // The emulator's account and key are public constants of its documentation.
    private static final String EMULATOR_ACCOUNT = "devstoreaccount1";
    private static final String EMULATOR_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
    private static final Map<Service, Integer> EMULATOR_PORTS =
            Map.of(Service.BLOB, 10000, Service.QUEUE, 10001, Service.TABLE, 10002);
    /** The characters of a host name: the service knows the length, and the DNS makes them lower-case. */
    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z0-9-]+");

    private static final Set<String> EMULATOR_SETTINGS = Set.of("usedevelopmentstorage", "developmentstorageproxyuri");

    private final @Nullable String account;
    private final @Nullable AccountCredential credential;
    private final Map<Service, Endpoint> endpoints = new EnumMap<>(Service.class);
    private final Map<Service, Endpoint> secondaries = new EnumMap<>(Service.class);

    private ConnectionString(@Nullable String account, @Nullable AccountCredential credential) {
        this.account = account;
        this.credential = credential;
    }

    /**
     * Reads a connection string that is complete.
     *
     * @param text settings of the form {@code Name=value} separated by semicolons; names in any case
     * @throws IllegalArgumentException naming the setting that is missing, unknown or wrong; values of keys are never shown
     */
    public static StorageAccount parse(String text) {
        return new AccountBuilder().connectionString(text).account();
    }

    static ConnectionString read(String text) {
        ConnectionSettings settings = ConnectionSettings.read(text);
        return settings.has("UseDevelopmentStorage") ? emulator(settings) : account(settings);
    }

    private static ConnectionString emulator(ConnectionSettings settings) {
        if (!"true".equalsIgnoreCase(settings.value("UseDevelopmentStorage"))) {
            throw new IllegalArgumentException(
                    "UseDevelopmentStorage can only be true, not " + settings.shown("UseDevelopmentStorage"));
        }
        settings.allow("UseDevelopmentStorage=true stands alone", EMULATOR_SETTINGS);
        String given = settings.value("DevelopmentStorageProxyUri");
        Endpoint proxy = Endpoint.of("DevelopmentStorageProxyUri", given == null ? "http://127.0.0.1" : given);
        if (proxy.authority().port() >= 0 || !proxy.root().getRawPath().isEmpty()) {
            throw new IllegalArgumentException(
                    "DevelopmentStorageProxyUri is http(s)://host without port and path, not " + proxy.shown()
                            + (proxy.root().getRawPath().isEmpty() ? "" : " with a path (not shown)"));
        }
        ConnectionString read = new ConnectionString(EMULATOR_ACCOUNT, key(EMULATOR_ACCOUNT, EMULATOR_KEY));
        EMULATOR_PORTS.forEach((service, port) -> read.endpoints.put(
                service,
                Endpoint.of("DevelopmentStorageProxyUri", proxy.root() + ":" + port + "/" + EMULATOR_ACCOUNT)));
        return read;
    }

    private static ConnectionString account(ConnectionSettings settings) {
        String account = settings.value("AccountName");
        if (account != null) {
            NameRules.account("AccountName", account);
        }
        ConnectionString read = new ConnectionString(account, credential(settings, account));
        for (Service service : Service.values()) {
            String given = settings.value(service.setting());
            Endpoint endpoint =
                    given == null ? implied(settings, account, service) : Endpoint.of(service.setting(), given);
            if (endpoint != null) {
                read.endpoints.put(service, endpoint);
            }
            String secondary = settings.value(service.secondarySetting());
            if (secondary != null) {
                read.secondaries.put(service, Endpoint.of(service.secondarySetting(), secondary));
            }
        }
        return read;
    }

    /** The grammar of the Azure SDKs allows a key or a signature or neither, never both. */
    private static @Nullable AccountCredential credential(ConnectionSettings settings, @Nullable String account) {
        String key = settings.value("AccountKey");
        String signature = settings.value("SharedAccessSignature");
        if (key != null && signature != null) {
            throw new IllegalArgumentException(
                    "the connection string has both AccountKey and SharedAccessSignature: give one of them");
        }
        if (key == null) {
            return signature == null
                    ? null
                    : new SasCredential("SharedAccessSignature", new AzureSasCredential(signature));
        }
        if (account == null) {
            throw new IllegalArgumentException("the connection string has an AccountKey but no AccountName");
        }
        return key(account, key);
    }

    private static @Nullable Endpoint implied(ConnectionSettings settings, @Nullable String account, Service service) {
        String protocol = settings.value("DefaultEndpointsProtocol");
        String suffix = settings.value("EndpointSuffix");
        boolean alone = protocol == null && suffix == null && settings.any(name -> name.endsWith("endpoint"));
        if (account == null || alone) {
            return null;
        }
        if (!ACCOUNT.matcher(account).matches()) {
            throw new IllegalArgumentException(
                    "AccountName has 3 to 24 lower-case letters and digits, not " + settings.shown("AccountName"));
        }
        String scheme = protocol == null ? "https" : protocol.toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException(
                    "DefaultEndpointsProtocol is http or https, not " + settings.shown("DefaultEndpointsProtocol"));
        }
        String domain = suffix == null ? "core.windows.net" : suffix.startsWith(".") ? suffix.substring(1) : suffix;
        String host = String.join(".", account, service.host(), domain);
        return Endpoint.of("AccountName and EndpointSuffix", String.join("://", scheme, host));
    }

    private static SharedKeyCredential key(String account, String key) {
        return new SharedKeyCredential(new AzureNamedKeyCredential(account, key));
    }

    @Nullable
    String account() {
        return account;
    }

    /** Explains why no endpoint of a service follows from it. */
    String missing() {
        if (!secondaries.isEmpty()) {
            Service first = secondaries.keySet().iterator().next();
            return "the connection string has " + first.secondarySetting() + " without " + first.setting()
                    + ", the endpoint whose copy it is";
        }
        return account == null
                ? "the connection string has no AccountName and no endpoint"
                : "the connection string has an AccountName, but no endpoint of tables, queues or blobs";
    }

    @Nullable
    AccountCredential credential() {
        return credential;
    }

    Map<Service, Endpoint> endpoints() {
        return endpoints;
    }

    Map<Service, Endpoint> secondaries() {
        return secondaries;
    }
}
