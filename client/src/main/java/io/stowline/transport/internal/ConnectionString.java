package io.stowline.transport.internal;

import com.azure.core.credential.AzureNamedKeyCredential;
import io.stowline.transport.internal.StorageAccount.Service;
import java.net.URI;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads connection strings with an account key: host style, explicit endpoints, and the emulator's short form. */
public final class ConnectionString {

    // The emulator's account and key are public constants of its documentation.
    private static final String EMULATOR_ACCOUNT = "devstoreaccount1";
    private static final String EMULATOR_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
    private static final Map<Service, Integer> EMULATOR_PORTS =
            Map.of(Service.BLOB, 10000, Service.QUEUE, 10001, Service.TABLE, 10002);

    private static final Set<String> KNOWN = Set.of(
            "usedevelopmentstorage",
            "developmentstorageproxyuri",
            "defaultendpointsprotocol",
            "endpointsuffix",
            "accountname",
            "accountkey",
            "blobendpoint",
            "queueendpoint",
            "tableendpoint",
            "fileendpoint",
            "blobsecondaryendpoint",
            "queuesecondaryendpoint",
            "tablesecondaryendpoint",
            "filesecondaryendpoint");

    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z]{1,40}");

    private final Map<String, String> settings;

    private ConnectionString(Map<String, String> settings) {
        this.settings = settings;
    }

    /**
     * Reads a connection string.
     *
     * @param text settings of the form {@code Name=value} separated by semicolons; names in any case
     * @return the account
     * @throws IllegalArgumentException naming the setting that is missing, unknown or wrong; values of keys are never shown
     */
    public static StorageAccount parse(String text) {
        Map<String, String> settings = new TreeMap<>();
        for (String part : text.split(";", -1)) {
            if (!part.isBlank()) {
                add(settings, part);
            }
        }
        ConnectionString parsed = new ConnectionString(settings);
        return settings.containsKey("usedevelopmentstorage") ? parsed.emulator() : parsed.account();
    }

    private static void add(Map<String, String> settings, String part) {
        int equals = part.indexOf('=');
        if (equals <= 0) {
            throw new IllegalArgumentException(
                    "the connection string has a part without 'Name=value' (the part is not shown, it may be a key)");
        }
        String name = part.substring(0, equals).trim();
        String key = name.toLowerCase(Locale.ROOT);
        if (key.equals("sharedaccesssignature")) {
            throw new IllegalArgumentException(
                    "SharedAccessSignature in a connection string is not supported yet: give AccountKey");
        }
        if (!KNOWN.contains(key)) {
            boolean plain = PLAIN_NAME.matcher(name).matches();
            throw new IllegalArgumentException("the connection string has an unknown setting"
                    + (plain ? ": " + name : " (its name is not shown, it may be a key)"));
        }
        if (settings.put(key, part.substring(equals + 1).trim()) != null) {
            throw new IllegalArgumentException("the connection string has the setting " + name + " twice");
        }
    }

    private StorageAccount emulator() {
        if (!"true".equalsIgnoreCase(settings.get("usedevelopmentstorage"))) {
            throw new IllegalArgumentException(
                    "UseDevelopmentStorage can only be true, not " + settings.get("usedevelopmentstorage"));
        }
        for (String name : settings.keySet()) {
            if (!name.equals("usedevelopmentstorage") && !name.equals("developmentstorageproxyuri")) {
                throw new IllegalArgumentException(
                        "UseDevelopmentStorage=true stands alone, but " + name + " is given too");
            }
        }
        String proxy = withoutSlash(settings.getOrDefault("developmentstorageproxyuri", "http://127.0.0.1"));
        Map<Service, URI> endpoints = new EnumMap<>(Service.class);
        EMULATOR_PORTS.forEach((service, port) -> endpoints.put(
                service, endpoint("DevelopmentStorageProxyUri", proxy + ":" + port + "/" + EMULATOR_ACCOUNT)));
        return new StorageAccount(EMULATOR_ACCOUNT, key(EMULATOR_ACCOUNT, EMULATOR_KEY), endpoints);
    }

    private StorageAccount account() {
        String name = required("accountname", "AccountName");
        NamedKey key = key(name, required("accountkey", "AccountKey"));
        Map<Service, URI> endpoints = new EnumMap<>(Service.class);
        for (Service service : Service.values()) {
            String explicit = settings.get(service.setting().toLowerCase(Locale.ROOT));
            URI uri = explicit != null ? endpoint(service.setting(), explicit) : implied(name, service);
            if (uri != null) {
                endpoints.put(service, uri);
            }
        }
        return new StorageAccount(name, key, endpoints);
    }

    private @Nullable URI implied(String account, Service service) {
        String protocol = settings.get("defaultendpointsprotocol");
        String suffix = settings.get("endpointsuffix");
        boolean anyExplicit = settings.keySet().stream().anyMatch(setting -> setting.endsWith("endpoint"));
        if (protocol == null && suffix == null && anyExplicit) {
            return null;
        }
        String scheme = protocol == null ? "https" : protocol.toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("DefaultEndpointsProtocol is http or https, not " + protocol);
        }
        String domain = suffix == null ? "core.windows.net" : suffix;
        return endpoint("EndpointSuffix", scheme + "://" + account + "." + service.host() + "." + domain);
    }

    private static NamedKey key(String account, String key) {
        return new NamedKey(new AzureNamedKeyCredential(account, key));
    }

    private String required(String key, String name) {
        String value = settings.get(key);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("the connection string has no " + name);
        }
        return value;
    }

    private static URI endpoint(String setting, String text) {
        URI uri;
        try {
            uri = URI.create(withoutSlash(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(setting + " is not a URI: " + shown(text));
        }
        boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!web || uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    setting + " must be http(s)://host[:port][/path] without query or fragment, not " + shown(text));
        }
        return uri;
    }

    private static String withoutSlash(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    /** A query may hold a signature, and what is no address at all may be a key that went astray. */
    private static String shown(String address) {
        int query = address.indexOf('?');
        if (!address.contains("://")) {
            return "a text without :// (not shown)";
        }
        return query < 0 ? address : address.substring(0, query) + "? (query not shown)";
    }
}
