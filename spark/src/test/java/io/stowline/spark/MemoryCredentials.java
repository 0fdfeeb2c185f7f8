package io.stowline.spark;

import io.stowline.Stowline;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Credentials of accounts in the memory of this JVM, which drives and executes. */
public final class MemoryCredentials implements TableCredentials {

    private static final Map<String, MemoryStorage> ACCOUNTS = new ConcurrentHashMap<>();

    static void register(String name, MemoryStorage memory) {
        ACCOUNTS.put(name, memory);
    }

    @Override
    public Stowline.Builder configure(Stowline.Builder client, Map<String, String> options) {
        MemoryStorage memory = ACCOUNTS.get(options.get("account"));
        return client.connectionString(memory.connectionString()).httpClient(memory.httpClient());
    }
}
