package io.stowline.logback;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import com.azure.core.credential.AzureSasCredential;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.journal.Journal;
import io.stowline.journal.JournalSettings;
import io.stowline.records.FailedRecords;
import io.stowline.records.RecordBlobs;
import io.stowline.records.RecordFormat;
import io.stowline.records.RecordWriter;
import io.stowline.records.RecordWriterSettings;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An appender with the properties of a {@link RecordWriter}, which it opens: storage, chunks and journal. Set them before the start. A size
 * or a time that is not set leaves the default of {@link RecordWriterSettings} in force.
 *
 * <p>Not thread-safe while it is configured.
 */
public abstract class RecordAppenderBase extends UnsynchronizedAppenderBase<ILoggingEvent> {

    private static final java.time.Duration CLIENT_CLOSE = java.time.Duration.ofSeconds(2);

    private @Nullable String connectionString;
    private @Nullable String endpoint;
    private @Nullable String sasToken;
    private @Nullable String container;
    private String prefix = "logs/";
    private @Nullable BlobContainer blobContainer;
    private @Nullable RecordWriter<byte[]> recordWriter;

    private boolean gzip;
    private @Nullable FileSize upTo;
    private @Nullable Duration every;
    private @Nullable FileSize bufferSize;
    private boolean appendBlobs;
    private @Nullable Duration linger;

    private @Nullable String journal;
    private @Nullable FileSize journalSize;
    private boolean fsync;

    private Duration maxWait = Duration.buildByMilliseconds(100);
    private Duration stopTimeout = Duration.buildBySeconds(10);

    /** Makes an appender whose properties have their defaults. */
    protected RecordAppenderBase() {}

    /**
     * Opens the writer that the properties describe, or takes the one that was set.
     *
     * @throws RuntimeException naming a property that is missing, or its value and limit
     */
    final OpenedWriter open(RecordFormat<byte[]> format, Consumer<FailedRecords> onFailure) {
        if (recordWriter != null) {
            return new OpenedWriter(recordWriter, false, null, null);
        }
        Stowline client = blobContainer == null ? client() : null;
        Journal opened = null;
        try {
            BlobContainer target = blobContainer == null
                    ? Objects.requireNonNull(client).container(required("container", container))
                    : blobContainer;
            opened = journal == null ? null : Journal.open(Path.of(journal), journalSettings());
            Journal kept = opened;
            RecordWriter<byte[]> writer = RecordBlobs.in(target, prefix)
                    .writer(gzip ? format.gzip() : format, settings -> apply(settings, kept, onFailure));
            return new OpenedWriter(writer, maxWait.getMilliseconds() > 0, client, opened);
        } catch (RuntimeException e) {
            OpenedWriter.close(client, opened);
            throw e;
        }
    }

    private static String required(String property, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("<" + property + "> is not set");
        }
        return value;
    }

    private Stowline client() {
        if (connectionString != null && endpoint != null) {
            throw new IllegalArgumentException("both <connectionString> and <endpoint> are set: remove one of them");
        }
        Stowline.Builder builder = Stowline.builder().closeTimeout(CLIENT_CLOSE);
        if (endpoint == null) {
            builder.connectionString(required("connectionString", connectionString));
        } else {
            builder.endpoint(required("endpoint", endpoint));
        }
        if (sasToken != null) {
            builder.credential(new AzureSasCredential(sasToken));
        }
        return builder.build();
    }

    private JournalSettings journalSettings() {
        JournalSettings.Builder settings = JournalSettings.builder().fsync(fsync);
        if (journalSize != null) {
            settings.maxBytes(journalSize.getSize());
        }
        return settings.build();
    }

    private RecordWriterSettings.Builder apply(
            RecordWriterSettings.Builder settings, @Nullable Journal kept, Consumer<FailedRecords> onFailure) {
        settings.warnAtExit(false).onFailure(onFailure).closeTimeout(time(stopTimeout));
        if (maxWait.getMilliseconds() > 0) {
            settings.submitTimeout(time(maxWait));
        }
        if (upTo != null) {
            settings.upTo((int) Math.min(upTo.getSize(), Integer.MAX_VALUE));
        }
        if (every != null) {
            settings.every(time(every));
        }
        if (bufferSize != null) {
            settings.bufferBytes(bufferSize.getSize());
        }
        if (appendBlobs) {
            settings.appendBlobs(append -> linger == null ? append : append.linger(time(linger)));
        }
        if (kept != null) {
            settings.journal(kept);
        }
        return settings;
    }

    private static java.time.Duration time(Duration duration) {
        return java.time.Duration.ofMillis(duration.getMilliseconds());
    }

    /**
     * Sets the connection string of the account. The alternatives are {@link #setEndpoint}, {@link #setBlobContainer} and {@link
     * #setRecordWriter}.
     *
     * @param connectionString the connection string, or {@code UseDevelopmentStorage=true} for an emulator on this machine
     */
    public void setConnectionString(String connectionString) {
        this.connectionString = connectionString;
    }

    /**
     * Sets the endpoint of the account, with {@link #setSasToken} beside it.
     *
     * @param endpoint the endpoint, such as {@code https://acct.blob.core.windows.net}
     */
    public void setEndpoint(String endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * Sets the shared access signature.
     *
     * @param sasToken the signature, which permits to create, to write and to read the properties of blobs in the container
     */
    public void setSasToken(String sasToken) {
        this.sasToken = sasToken;
    }

    /**
     * Sets the name of the container, which must exist: as long as it is missing, the writer is paused.
     *
     * @param container the name
     */
    public void setContainer(String container) {
        this.container = container;
    }

    /**
     * Sets the begin of all blob names.
     *
     * @param prefix the prefix, {@code logs/} unless set
     */
    public void setPrefix(String prefix) {
        this.prefix = prefix;
    }

    /**
     * Sets the container by code, in the place of an account and a name. Its client is closed after the appender.
     *
     * @param blobContainer the container
     */
    public void setBlobContainer(BlobContainer blobContainer) {
        this.blobContainer = blobContainer;
    }

    /**
     * Sets the writer by code, in the place of all properties of storage, chunks and journal. An event that has no room in it does not wait.
     *
     * @param recordWriter the writer of encoded events, which the appender closes when it stops
     */
    public void setRecordWriter(RecordWriter<byte[]> recordWriter) {
        this.recordWriter = recordWriter;
    }

    /**
     * Sets whether blobs are compressed.
     *
     * @param gzip true to compress; the default is false
     */
    public void setGzip(boolean gzip) {
        this.gzip = gzip;
    }

    /**
     * Sets the maximum size of a chunk, before compression.
     *
     * @param upTo the size, such as {@code 16MB}
     */
    public void setUpTo(FileSize upTo) {
        this.upTo = upTo;
    }

    /**
     * Sets the interval of UTC time that a chunk is for.
     *
     * @param every the interval, such as {@code 5 minutes}
     */
    public void setEvery(Duration every) {
        this.every = every;
    }

    /**
     * Sets the maximum size of events in memory. With a journal {@link #setJournalSize} counts instead.
     *
     * @param bufferSize the size, at least twice {@code upTo}
     */
    public void setBufferSize(FileSize bufferSize) {
        this.bufferSize = bufferSize;
    }

    /**
     * Sets whether chunks are appended to append blobs, which readers see while they grow.
     *
     * @param appendBlobs true for append blobs; the default is a block blob for each chunk
     */
    public void setAppendBlobs(boolean appendBlobs) {
        this.appendBlobs = appendBlobs;
    }

    /**
     * Sets how long a chunk of an append blob waits for more events.
     *
     * @param linger the time, such as {@code 1 second}
     */
    public void setLinger(Duration linger) {
        this.linger = linger;
    }

    /**
     * Sets the folder of a journal: an event is on disk when the logging call returns, and gets into a blob exactly once.
     *
     * @param journal the folder, of one process at a time; without one a crash loses what is buffered
     */
    public void setJournal(String journal) {
        this.journal = journal;
    }

    /**
     * Sets the maximum size of events in the journal.
     *
     * @param journalSize the size, such as {@code 256MB}
     */
    public void setJournalSize(FileSize journalSize) {
        this.journalSize = journalSize;
    }

    /**
     * Sets whether each event waits until the disk confirms it, so that it survives a crash of the machine.
     *
     * @param fsync true to wait for the disk; the default is false
     */
    public void setFsync(boolean fsync) {
        this.fsync = fsync;
    }

    /**
     * Sets how long logging waits for room. While no event has found room since, further ones do not wait.
     *
     * @param maxWait the time, {@code 100 milliseconds} unless set; 0 never waits
     */
    public void setMaxWait(Duration maxWait) {
        this.maxWait = maxWait;
    }

    /**
     * Sets how long a stop waits until what is buffered is in blobs.
     *
     * @param stopTimeout the time, {@code 10 seconds} unless set
     */
    public void setStopTimeout(Duration stopTimeout) {
        this.stopTimeout = stopTimeout;
    }
}
