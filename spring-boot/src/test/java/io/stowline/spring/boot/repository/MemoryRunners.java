package io.stowline.spring.boot.repository;

import io.stowline.Stowline;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.key.KeyFormat;
import io.stowline.spring.boot.AccountsInMemory;
import io.stowline.table.Index;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runners of races in an account in memory, whose requests a test can read. */
final class MemoryRunners implements AutoCloseable {

    record Runner(@PartitionKey String race, @RowKey String bib, String name, int age, String mail) {}

    record Member(@PartitionKey String race, @RowKey String key, int age) {}

    static final Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);
    static final Index<Runner, String> NAME = Index.text("NAME", Runner::name);
    static final Index<Runner, String> SHIRT =
            Index.text("SHIRT", (Runner runner) -> runner.race() + runner.bib()).unique();
    static final Index<Runner, String> MAIL = Index.text("MAIL", Runner::mail).global();

    static final KeyFormat RACES =
            KeyFormat.separatedBy('_', 2).text("marathon").text("kind");
    static final KeyFormat MEMBERS =
            KeyFormat.of().escaped("family").escaped("given").number("number", 4);

    static final Runner ANN = new Runner("full", "0001", "Ann", 41, "ann@x.org");
    static final Runner BEA = new Runner("full", "0002", "Bea", 29, "bea@x.org");
    static final Runner CAT = new Runner("full", "0011", "Cat", 41, "ann@x.org");
    static final Runner DAN = new Runner("half", "0001", "Dan", 41, "dan@x.org");

    final MemoryStorage memory = MemoryStorage.create();
    final Stowline client = AccountsInMemory.client(memory);

    MemoryRunners() {
        client.table("runners").create();
        client.table("indexed").create();
        client.table("members").create();
    }

    TableRepositoryFactory<Runner> runners() {
        return TableRepositoryFactory.of(client.table("runners", Runner.class));
    }

    TableRepositoryFactory<Runner> indexed() {
        return TableRepositoryFactory.of(client.table("indexed", Runner.class))
                .index(AGE)
                .index(NAME)
                .index(SHIRT)
                .index(MAIL);
    }

    TableRepositoryFactory<Member> members() {
        Table<Member> table = client.table("members", Member.class);
        return TableRepositoryFactory.of(table).partitionKey(RACES).rowKey(MEMBERS);
    }

    /** Returns the number of requests so far. */
    int sent() {
        return memory.requests().size();
    }

    /** Returns the requests after the first ones, decoded and without the parts that all queries have. */
    List<String> since(int first) {
        return memory.requests().subList(first, memory.requests().size()).stream()
                .map(request -> URLDecoder.decode(request, StandardCharsets.UTF_8)
                        .replaceAll("\\?\\$?(.*)", " $1")
                        .replaceAll(" ?(?:[&?]?\\$|(?<= ))(select|top|format)=[^&]*", "")
                        .replaceAll("&?timeout=\\d+", "")
                        .strip())
                .toList();
    }

    @Override
    public void close() {
        client.close();
    }
}
