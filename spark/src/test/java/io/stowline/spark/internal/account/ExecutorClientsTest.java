package io.stowline.spark.internal.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.stowline.Stowline;
import io.stowline.spark.TableCredentials;
import io.stowline.spark.internal.option.AccountSource;
import io.stowline.spark.internal.option.AccountSource.SecretPlace;
import io.stowline.table.Entity;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutorClientsTest {

    private static final AccountSource SOURCE = new AccountSource(SecretPlace.ENVIRONMENT, "PEOPLE", Map.of());

    private final MemoryStorage memory = MemoryStorage.create();
    private final List<Stowline> opened = new ArrayList<>();
    private final ManualTimer timer = new ManualTimer();
    private final ExecutorClients clients = new ExecutorClients(source -> open(), Duration.ofMinutes(1), timer);

    /** A timer whose tasks a test runs. */
    private static final class ManualTimer extends ScheduledThreadPoolExecutor {

        private final List<Runnable> tasks = new ArrayList<>();

        ManualTimer() {
            super(0);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            tasks.add(task);
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
        }

        void run(int task) {
            tasks.get(task).run();
        }
    }

    @AfterEach
    void close() {
        clients.closeAll();
        timer.shutdownNow();
    }

    private Stowline open() {
        Stowline client = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .build();
        opened.add(client);
        return client;
    }

    @Test
    @DisplayName("tasks share one client for an account, and another account has another one")
    void clientsAreShared() {
        try (ClientShare one = clients.share(SOURCE);
                ClientShare two = clients.share(new AccountSource(SecretPlace.ENVIRONMENT, "PEOPLE", Map.of()));
                ClientShare other = clients.share(new AccountSource(SecretPlace.FILE, "PEOPLE", Map.of()))) {
            assertThat(one.client()).isSameAs(two.client()).isNotSameAs(other.client());
        }
        assertThat(opened).hasSize(2);
    }

    @Test
    @DisplayName("a client is closed when it has had no user for a while, not before, and opened again for the next")
    void idleClientsAreClosed() {
        ClientShare one = clients.share(SOURCE);
        one.close();
        one.close();
        try (ClientShare two = clients.share(SOURCE)) {
            timer.run(0);
            assertThat(two.client().listTables()).isEmpty();
        }

        timer.run(0);
        assertThat(opened.get(0).listTables()).isEmpty();
        timer.run(1);

        assertThatIllegalStateException().isThrownBy(() -> opened.get(0).listTables());
        try (ClientShare three = clients.share(SOURCE)) {
            assertThat(three.client().listTables()).isEmpty();
        }
        assertThat(opened).hasSize(2);
    }

    @Test
    void theEndOfTheJvmClosesAll() {
        ClientShare share = clients.share(SOURCE);

        clients.closeAll();

        assertThatIllegalStateException().isThrownBy(() -> share.client().listTables());
        share.close();
    }

    @Test
    @DisplayName("the end of the JVM closes all clients quietly, though a task has left failures")
    void failuresOfOneClientLeaveNoneOpen() {
        List<ClientShare> shares =
                List.of(clients.share(SOURCE), clients.share(new AccountSource(SecretPlace.FILE, "PEOPLE", Map.of())));
        for (ClientShare share : shares) {
            share.client()
                    .table("missing")
                    .writer()
                    .insert(Entity.builder("p", "r").build());
        }

        assertThatNoException().isThrownBy(clients::closeAll);

        assertThat(opened).hasSize(2).allSatisfy(client -> assertThatIllegalStateException()
                .isThrownBy(client::listTables));
    }

    /** Credentials whose end is missing. */
    public static final class WithoutBuilder implements TableCredentials {

        @Override
        public Stowline.@Nullable Builder configure(Stowline.Builder client, Map<String, String> options) {
            return null;
        }
    }

    @Test
    @DisplayName("a class of credentials that returns no builder is named")
    void aMissingBuilderIsRefused() {
        AccountSource source = new AccountSource(SecretPlace.CLASS, WithoutBuilder.class.getName(), Map.of());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClientOpener(name -> null).open(source))
                .withMessageContaining("$WithoutBuilder.configure returned null");
    }

    @Test
    @DisplayName("a secret that is not on the machine is named by its place")
    void missingSecretsAreNamed(@TempDir Path folder) throws Exception {
        ClientOpener opener =
                new ClientOpener(name -> name.equals("SET") ? " " + memory.connectionString() + "\n" : null);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> opener.open(SOURCE))
                .withMessageContaining("the environment variable PEOPLE is not set on this machine");
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> opener.open(new AccountSource(SecretPlace.FILE, "/no/file", Map.of())))
                .withMessageContaining("connectionStringFile: /no/file cannot be read");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> opener.open(new AccountSource(SecretPlace.CLASS, "java.lang.String", Map.of())))
                .withMessageContaining("java.lang.String is no public class on the class path that implements");
        Path file = Files.writeString(folder.resolve("secret"), memory.connectionString() + "\n");
        opener.open(new AccountSource(SecretPlace.FILE, file.toString(), Map.of()))
                .close();
        opener.open(new AccountSource(SecretPlace.ENVIRONMENT, "SET", Map.of())).close();
    }
}
