package io.stowline.spring.boot.test;

import io.stowline.testkit.Azurite;
import io.stowline.testkit.StorageService;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The accounts of an emulator: the well-known one for the main client, and one each for the further accounts of the applications, which get
 * theirs at their first use. An emulator knows its accounts from its start, before the applications are known. Thread-safe.
 */
final class EmulatorAccounts {

    static final int FURTHER = 32;

    private static final String NAME = "devstoreaccount";
    private static final String KEY = "a2V5IG9mIGEgZnVydGhlciBhY2NvdW50IG9mIHRoZSBlbXVsYXRvcg==";

    private final Map<String, String> names = new LinkedHashMap<>();

    /** Starts an emulator that has these accounts. */
    static Azurite start() {
        Azurite.Builder builder = Azurite.builder();
        for (int i = 0; i < FURTHER; i++) {
            builder.account(name(i), KEY);
        }
        return builder.start();
    }

    /**
     * Returns the connection string of an account at the ports of other endpoints, such as those of a proxy in front of the emulator.
     *
     * @param name the account's name in the emulator
     * @param endpoints the other endpoints
     */
    static String connectionString(String name, Function<StorageService, URI> endpoints) {
        StringBuilder text =
                new StringBuilder("DefaultEndpointsProtocol=http;AccountName=" + name + ";AccountKey=" + KEY);
        Map.of(
                        "BlobEndpoint",
                        StorageService.BLOB,
                        "QueueEndpoint",
                        StorageService.QUEUE,
                        "TableEndpoint",
                        StorageService.TABLE)
                .forEach((setting, service) -> {
                    URI endpoint = endpoints.apply(service);
                    text.append(';')
                            .append(setting)
                            .append("=http://")
                            .append(endpoint.getRawAuthority())
                            .append('/')
                            .append(name);
                });
        return text.toString();
    }

    private static String name(int index) {
        return NAME + (index + 2);
    }

    /**
     * Returns the emulator's account of a further account.
     *
     * @param account the name below {@code stowline.accounts}
     * @throws IllegalStateException if the emulator has no account left
     */
    synchronized String of(String account) {
        String known = names.get(account);
        if (known == null) {
            if (names.size() == FURTHER) {
                throw new IllegalStateException(
                        "'stowline.accounts." + account + "' has no account of the emulator, which"
                                + " has " + FURTHER + " further accounts, for " + names.keySet()
                                + "; use the same names in all tests of a JVM, or give the account a connection by a"
                                + " bean of type StowlineAccountConnections");
            }
            known = name(names.size());
            names.put(account, known);
        }
        return known;
    }
}
