package io.stowline.spring.boot;

import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Two accounts in memory, the default one and a further one, as the bean by which an application's clients reach them. */
public class AccountsInMemory implements StowlineBuilderCustomizer {

    /** The default account. */
    public final MemoryStorage main;

    /** The further account. */
    public final MemoryStorage archive = MemoryStorage.create();

    private final String name;

    /** Makes the accounts; the further one has the name {@code archive}. */
    public AccountsInMemory() {
        this("archive", MemoryStorage.create());
    }

    protected AccountsInMemory(String name, MemoryStorage main) {
        this.name = name;
        this.main = main;
    }

    /** Returns the properties of an application with both accounts. */
    public Map<String, Object> properties() {
        return Map.of(
                "stowline.connection-string",
                main.connectionString(),
                "stowline.accounts." + name + ".connection-string",
                archive.connectionString());
    }

    /** Returns an application with both accounts. */
    public ApplicationContextRunner runner(Class<?>... autoConfigurations) {
        return in(new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        Stream.concat(Stream.of(StowlineAutoConfiguration.class), Stream.of(autoConfigurations))
                                .toArray(Class<?>[]::new))));
    }

    /** Gives an application both accounts. */
    public <S extends AbstractApplicationContextRunner<S, ?, ?>> S in(S runner) {
        return runner.withBean("accountsInMemory", StowlineBuilderCustomizer.class, () -> this)
                .withPropertyValues(properties().entrySet().stream()
                        .map(property -> property.getKey() + "=" + property.getValue())
                        .toArray(String[]::new));
    }

    /** Returns a client of an account that is not the application's. */
    public static Stowline client(MemoryStorage storage) {
        return Stowline.builder()
                .connectionString(storage.connectionString())
                .httpClient(storage.httpClient())
                .build();
    }

    @Override
    public boolean supports(String account) {
        return account.equals("stowline") || account.equals(name);
    }

    @Override
    public void customize(Stowline.Builder builder) {}

    @Override
    public void customize(String account, Stowline.Builder builder) {
        builder.httpClient((account.equals(name) ? archive : main).httpClient());
    }
}
