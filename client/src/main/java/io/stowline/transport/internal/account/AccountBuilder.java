package io.stowline.transport.internal.account;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.credential.TokenCredential;
import io.stowline.transport.internal.thread.NamedThreads;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A builder that collects what is given of an account, by a connection string, by parameters or by both, and makes it whole. Not thread-safe. */
public final class AccountBuilder {

    private final Map<Service, Endpoint> explicit = new EnumMap<>(Service.class);
    private @Nullable ConnectionString connectionString;
    private @Nullable Endpoint any;
    private @Nullable String accountName;
    private @Nullable AccountCredential credential;
    private @Nullable TokenCredential token;

    private boolean openSignatures;

    /** Begins with nothing. */
    public AccountBuilder() {}

    /**
     * Takes a connection string.
     *
     * @return this plan
     * @throws IllegalArgumentException naming the setting that is unknown or wrong; values of keys are never shown
     */
    public AccountBuilder connectionString(String text) {
        this.connectionString = ConnectionString.read(text);
        return this;
    }

    /**
     * Takes the endpoint of any one service, of which the others follow.
     *
     * @return this plan
     * @throws IllegalArgumentException if it is no endpoint of Azure Storage, or its host does not show which service it is
     */
    public AccountBuilder endpoint(String uri) {
        Endpoint endpoint = Endpoint.of("endpoint", uri);
        if (endpoint.standard() == null) {
            throw new IllegalArgumentException(
                    "endpoint must show its service, as https://<account>.blob.core.windows.net does, but "
                            + endpoint.shown() + " does not: give tableEndpoint, queueEndpoint or blobEndpoint");
        }
        this.any = endpoint;
        return this;
    }

    /**
     * Takes the endpoint of one service; it wins over all others.
     *
     * @return this plan
     * @throws IllegalArgumentException if it is no endpoint of this service
     */
    public AccountBuilder endpoint(Service service, String uri) {
        explicit.put(service, Endpoint.of(service.parameter(), uri));
        return this;
    }

    /**
     * Takes the account's name.
     *
     * @return this plan
     * @throws IllegalArgumentException if it cannot be one
     */
    public AccountBuilder accountName(String name) {
        this.accountName = NameRules.account("accountName", name);
        return this;
    }

    /**
     * Takes an account key.
     *
     * @return this plan
     * @throws IllegalArgumentException if the key is not Base64; it is not shown
     */
    public AccountBuilder credential(AzureNamedKeyCredential key) {
        this.credential = new SharedKeyCredential(key);
        this.token = null;
        return this;
    }

    /**
     * Takes a shared access signature.
     *
     * @param sas the signature with what it allows
     * @return this plan
     * @throws IllegalArgumentException if it is no signature; it is not shown
     */
    public AccountBuilder credential(AzureSasCredential sas) {
        this.credential = new SasCredential("credential", sas);
        this.token = null;
        return this;
    }

    /**
     * Lets a shared access signature leave in plain text.
     *
     * @return this plan
     */
    public AccountBuilder allowSasOverHttp() {
        this.openSignatures = true;
        return this;
    }

    /**
     * Takes what gives tokens.
     *
     * @return this plan
     */
    public AccountBuilder credential(TokenCredential tokens) {
        this.token = Objects.requireNonNull(tokens, "credential");
        this.credential = null;
        return this;
    }

    /**
     * Makes the account.
     *
     * @throws IllegalArgumentException naming what is missing or does not fit together
     */
    public StorageAccount account() {
        Map<Service, Endpoint> endpoints = endpoints();
        AccountCredential given = given();
        String name = name(given, endpoints);
        endpoints.forEach((service, endpoint) -> check(service, endpoint, name));
        if (given instanceof SasCredential && !openSignatures) {
            checkSignature(endpoints);
        }
        AccountCredential opening = given == null ? tokens(name, endpoints) : given;
        return new StorageAccount(name, opening, roots(endpoints), secondaries(name, endpoints));
    }

    private Map<Service, Endpoint> endpoints() {
        Map<Service, Endpoint> all = new EnumMap<>(Service.class);
        if (connectionString != null) {
            all.putAll(connectionString.endpoints());
        }
        if (any != null) {
            all.putAll(family(any));
        }
        all.putAll(explicit);
        if (all.isEmpty()) {
            throw new IllegalArgumentException(
                    connectionString == null
                            ? "no account is given: give connectionString, endpoint, or tableEndpoint, queueEndpoint"
                                    + " and blobEndpoint"
                            : connectionString.missing());
        }
        return all;
    }

    private Map<Service, Endpoint> family(Endpoint one) {
        if (connectionString != null) {
            throw new IllegalArgumentException(
                    "connectionString and endpoint are both given: the connection string already names the endpoints");
        }
        Map<Service, Endpoint> family = new EnumMap<>(Service.class);
        for (Service service : Service.values()) {
            Endpoint member = one.serves(service) ? one : one.sibling(service);
            if (member != null) {
                family.put(service, member);
            }
        }
        return family;
    }

    private @Nullable AccountCredential given() {
        AccountCredential inString = connectionString == null ? null : connectionString.credential();
        if (inString != null && (credential != null || token != null)) {
            throw new IllegalArgumentException(
                    "two credentials are given: AccountKey or SharedAccessSignature in connectionString, and"
                            + " credential");
        }
        if (inString == null && credential == null && token == null) {
            throw new IllegalArgumentException(
                    connectionString == null
                            ? "no credential is given: give credential"
                            : "no credential is given: the connection string has no AccountKey and no"
                                    + " SharedAccessSignature");
        }
        return inString != null ? inString : credential;
    }

    /** All names of the account must agree; endpoints count only where nothing else names it. */
    private String name(@Nullable AccountCredential given, Map<Service, Endpoint> endpoints) {
        String inString = connectionString == null ? null : connectionString.account();
        List<String> stated = new ArrayList<>();
        for (String name : Arrays.asList(given == null ? null : given.account(), accountName, inString)) {
            if (name != null) {
                stated.add(name);
            }
        }
        if (stated.isEmpty()) {
            return seen(endpoints);
        }
        String first = stated.get(0);
        for (String name : stated) {
            if (!name.toLowerCase(Locale.ROOT).equals(first.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "credential, accountName and connectionString name different accounts: "
                                + String.join(", ", stated));
            }
        }
        return first;
    }

    private static String seen(Map<Service, Endpoint> endpoints) {
        String likely = null;
        for (Endpoint endpoint : endpoints.values()) {
            String certain = endpoint.certainAccount();
            if (certain != null) {
                return certain;
            }
            likely = likely == null ? endpoint.likelyAccount() : likely;
        }
        if (likely == null) {
            throw new IllegalArgumentException(
                    "the name of the account cannot be seen in its endpoints: give accountName");
        }
        return likely;
    }

    private static void check(Service service, Endpoint endpoint, String name) {
        String certain = endpoint.certainAccount();
        if (certain != null && !certain.equalsIgnoreCase(name)) {
            throw new IllegalArgumentException(
                    endpoint.setting() + " is an endpoint of the account " + certain + ", not of " + name);
        }
        if (certain != null && !endpoint.serves(service)) {
            throw new IllegalArgumentException(endpoint.setting() + " is not an endpoint of the " + service.host()
                    + " service: " + endpoint.shown());
        }
    }

    private Stream<Endpoint> inPlainText(Map<Service, Endpoint> endpoints) {
        Map<Service, Endpoint> copies = connectionString == null ? Map.of() : connectionString.secondaries();
        return Stream.concat(endpoints.values().stream(), copies.values().stream())
                .filter(endpoint -> !endpoint.encrypted());
    }

    /** A signature opens the account for every observer on the way. */
    private void checkSignature(Map<Service, Endpoint> endpoints) {
        inPlainText(endpoints)
                .filter(endpoint -> !endpoint.loopback())
                .findFirst()
                .ifPresent(open -> {
                    throw new IllegalArgumentException(
                            "a shared access signature is sent over https, or over http to this machine, but "
                                    + open.setting() + " gives " + open.shown()
                                    + "; allowSasOverHttp() sends it in plain text all the same");
                });
    }

    private AccountCredential tokens(String name, Map<Service, Endpoint> endpoints) {
        inPlainText(endpoints).findFirst().ifPresent(open -> {
            throw new IllegalArgumentException(
                    "tokens are sent over https only, but " + open.setting() + " gives " + open.shown());
        });
        return new BearerTokenCredential(Objects.requireNonNull(token), new NamedThreads(name, "token").each());
    }

    private static Map<Service, URI> roots(Map<Service, Endpoint> endpoints) {
        Map<Service, URI> roots = new EnumMap<>(Service.class);
        endpoints.forEach((service, endpoint) -> roots.put(service, endpoint.root()));
        return roots;
    }

    private Map<Service, URI> secondaries(String name, Map<Service, Endpoint> endpoints) {
        Map<Service, URI> secondaries = new EnumMap<>(Service.class);
        endpoints.forEach((service, endpoint) -> {
            URI implied = endpoint.secondary(name);
            if (implied != null) {
                secondaries.put(service, implied);
            }
        });
        if (connectionString != null) {
            connectionString.secondaries().forEach((service, endpoint) -> {
                if (!endpoints.containsKey(service)) {
                    throw new IllegalArgumentException(endpoint.setting() + " is given without " + service.setting());
                }
                secondaries.put(service, endpoint.root());
            });
        }
        return secondaries;
    }
}
