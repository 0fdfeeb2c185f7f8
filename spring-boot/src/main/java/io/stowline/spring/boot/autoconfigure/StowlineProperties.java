package io.stowline.spring.boot.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties of the application, beside those of its accounts in {@link AccountProperties}.
 *
 * <p>Immutable and thread-safe.
 *
 * @param accounts Further accounts by name, each with the settings of an account; the name qualifies its beans.
 * @param createMissing Whether declared tables, queues and containers are created at start if they are missing.
 * @param writer Defaults of the application's table writers.
 * @param journal Settings of the durable journal.
 * @param health Settings of the health indicators.
 */
@ConfigurationProperties(AccountProperties.PREFIX)
public record StowlineProperties(
        @DefaultValue Map<String, AccountProperties> accounts,
        @DefaultValue("false") boolean createMissing,
        @DefaultValue Writer writer,
        @DefaultValue Journal journal,
        @DefaultValue Health health) {

    /**
     * Keeps a copy of the accounts.
     *
     * @param accounts further accounts by name
     * @param createMissing whether declared resources are created at start
     * @param writer defaults of writers
     * @param journal settings of the journal
     * @param health settings of the health indicators
     */
    public StowlineProperties {
        accounts = Map.copyOf(accounts);
    }

    /**
     * The settings that {@link WriterDefaults} apply.
     *
     * @param linger How long an idle lane waits for company.
     * @param bufferItems Number of operations that a writer holds.
     * @param bufferSize Size of the operations that a writer holds.
     * @param submitTimeout How long a blocking verb waits for room.
     * @param deliveryTimeout Time from the acceptance of an operation to its end.
     * @param giveUpAfter Time without success after which a writer breaks.
     * @param closeTimeout How long closing a writer waits for its operations.
     * @param coalesce Whether a replacing upsert takes the place of a queued upsert of the same entity.
     * @param stopEntityOnFailure Whether a failure fails the queued operations of the same entity.
     * @param warnAtExit Whether the end of the process with operations in a writer is logged.
     */
    public record Writer(
            @Nullable Duration linger,
            @Nullable Integer bufferItems,
            @Nullable DataSize bufferSize,
            @Nullable Duration submitTimeout,
            @Nullable Duration deliveryTimeout,
            @Nullable Duration giveUpAfter,
            @Nullable Duration closeTimeout,
            @Nullable Boolean coalesce,
            @Nullable Boolean stopEntityOnFailure,
            @Nullable Boolean warnAtExit) {}

    /**
     * The durable journal.
     *
     * @param folder Folder of the journal; the application has a journal if it is set.
     * @param fsync Whether the disk confirms an operation before it is accepted, so that it survives a crash of the machine.
     * @param maxSize Size of unfinished records, beyond which operations are refused.
     */
    public record Journal(
            @Nullable Path folder,
            @Nullable Boolean fsync,
            @Nullable DataSize maxSize) {}

    /**
     * The health indicators.
     *
     * @param timeout Time for the read of one service.
     * @param pollAge Time without a response to its polls, beyond its longest wait between them, after which a queue listener or an outbox relay is down.
     */
    public record Health(
            @DefaultValue("2s") Duration timeout,
            @DefaultValue("1m") Duration pollAge) {}
}
