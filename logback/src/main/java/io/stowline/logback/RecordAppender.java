package io.stowline.logback;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.util.ReentryGuard;
import ch.qos.logback.core.util.ReentryGuardFactory;
import ch.qos.logback.core.util.ReentryGuardFactory.GuardType;
import io.stowline.logback.DiscardedEvents.DiscardReason;
import io.stowline.records.FailedRecords;
import io.stowline.records.FailedRecordsException;
import io.stowline.records.RecordFormat;
import io.stowline.records.RecordWriter;
import io.stowline.table.BufferFullException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * An appender that collects log events into blobs, by a {@link RecordWriter}:
 *
 * <pre>
 * &lt;appender name="BLOBS" class="io.stowline.logback.RecordAppender"&gt;
 *   &lt;connectionString&gt;${STORAGE}&lt;/connectionString&gt;
 *   &lt;container&gt;logs&lt;/container&gt;
 *   &lt;prefix&gt;shop/&lt;/prefix&gt;
 *   &lt;gzip&gt;true&lt;/gzip&gt;
 *   &lt;journal&gt;/var/lib/shop/log-journal&lt;/journal&gt;
 *   &lt;encoder&gt;
 *     &lt;pattern&gt;%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level [%thread] %logger - %msg%n&lt;/pattern&gt;
 *   &lt;/encoder&gt;
 * &lt;/appender&gt;
 * </pre>
 *
 * <ul>
 *   <li>An event is encoded and written on the thread that logs. With a journal it is in a file then, as with a file appender; without one it
 *       is in memory. Events of event loops are written to the journal by another thread.
 *   <li>Logging throws nothing. Where there is no room it waits up to {@code maxWait}; further events are discarded without a wait until one
 *       finds room. They are counted, and Logback's status has a message a minute.
 *   <li>Events of {@code io.stowline}, {@code com.azure}, {@code io.netty} and {@code reactor} are left out and counted: the delivery of
 *       events must not make events.
 *   <li>A stop delivers what is buffered within {@code stopTimeout}. It also runs in a shutdown hook of the JVM.
 * </ul>
 *
 * <p>Of the events that a started appender gets and its filters pass: logged = accepted + discarded + excluded. Thread-safe once it is started.
 */
public final class RecordAppender extends RecordAppenderBase {

    /** Bounds the memory of events of event loops that wait. */
    private static final int MAX_HANDED_OVER = 1_000;

    private final AtomicInteger handedOver = new AtomicInteger();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder excluded = new LongAdder();
    private final DiscardedEvents discarded = new DiscardedEvents(this, System::nanoTime);

    private @Nullable Encoder<ILoggingEvent> encoder;
    private @Nullable String suffix;
    private ExcludedLoggers excludedLoggers = ExcludedLoggers.of(ExcludedLoggers.DELIVERY);
    private boolean shutdownHook = true;
    private @Nullable Thread hook;
    private volatile @Nullable OpenedWriter opened;

    /** Makes an appender, to be configured and started. */
    public RecordAppender() {}

    @Override
    public synchronized void start() {
        if (isStarted()) {
            return;
        }
        Encoder<ILoggingEvent> events = encoder;
        if (events == null) {
            addError("Appender [" + getName() + "] does not start: set its <encoder> or <layout>");
            return;
        }
        try {
            opened = open(format(events), this::failed);
        } catch (RuntimeException e) {
            addError("Appender [" + getName() + "] does not start: " + e.getMessage(), e);
            return;
        }
        if (shutdownHook) {
            hook = new Thread(this::stop, "stowline-logback-stop");
            Runtime.getRuntime().addShutdownHook(hook);
        }
        super.start();
    }

    private RecordFormat<byte[]> format(Encoder<ILoggingEvent> events) {
        boolean json = events instanceof JsonEncoder;
        RecordFormat<byte[]> format = RecordFormat.encodedLines()
                .withType(
                        suffix != null ? suffix : json ? ".jsonl" : ".log",
                        json ? "application/x-ndjson" : "text/plain; charset=utf-8");
        byte[] header = events.headerBytes();
        return header == null || header.length == 0
                ? format
                : format.withHeader(new String(header, StandardCharsets.UTF_8).strip());
    }

    @Override
    protected void append(ILoggingEvent event) {
        OpenedWriter to = opened;
        if (excludedLoggers.contains(event.getLoggerName())) {
            excluded.increment();
            return;
        }
        if (to == null) {
            discarded.add(DiscardReason.REFUSED, null);
            return;
        }
        byte[] record = encoded(event);
        if (record == null) {
            return;
        }
        if (Schedulers.isInNonBlockingThread()) {
            handOver(record, to);
        } else {
            write(record, to);
        }
    }

    private byte @Nullable [] encoded(ILoggingEvent event) {
        Encoder<ILoggingEvent> events = encoder;
        try {
            byte[] record = events == null ? null : events.encode(event);
            if (record == null) {
                discarded.add(DiscardReason.UNENCODED, null);
            }
            return record;
        } catch (RuntimeException e) {
            discarded.add(DiscardReason.UNENCODED, e);
            return null;
        }
    }

    private void write(byte[] record, OpenedWriter to) {
        boolean waits = to.waits()
                && !discarded.hasWaitedInVain()
                && !Thread.currentThread().isInterrupted();
        try {
            (waits ? to.writer() : to.failingFast()).write(record);
            accept();
        } catch (RuntimeException e) {
            if (waits && e instanceof BufferFullException) {
                discarded.waitedInVain();
            }
            discard(e, to);
        }
    }

    /** Writes an event of an event loop, which waits neither for room nor for a disk. */
    private void handOver(byte[] record, OpenedWriter to) {
        if (handedOver.incrementAndGet() > MAX_HANDED_OVER) {
            handedOver.decrementAndGet();
            discarded.add(DiscardReason.FULL, null);
            return;
        }
        to.writer()
                .reactive()
                .write(record)
                .doFinally(end -> handedOver.decrementAndGet())
                .subscribe(nothing -> {}, error -> discard(error, to), this::accept);
    }

    private void accept() {
        accepted.increment();
        discarded.roomFound();
    }

    private void discard(Throwable error, OpenedWriter from) {
        if (error instanceof BufferFullException) {
            discarded.add(
                    DiscardReason.FULL,
                    from.writer().pausedBy().map(Throwable.class::cast).orElse(error));
        } else {
            discarded.add(DiscardReason.REFUSED, error);
        }
    }

    /** Events that appending logs itself are discarded, as by every appender, and counted. */
    @Override
    protected ReentryGuard buildReentryGuard() {
        ReentryGuard guard = ReentryGuardFactory.makeGuard(GuardType.THREAD_LOCAL);
        return new ReentryGuard() {
            @Override
            public boolean isLocked() {
                boolean nested = guard.isLocked();
                if (nested) {
                    discarded.add(DiscardReason.NESTED, null);
                }
                return nested;
            }

            @Override
            public void lock() {
                guard.lock();
            }

            @Override
            public void unlock() {
                guard.unlock();
            }
        };
    }

    private void failed(FailedRecords chunk) {
        OpenedWriter from = opened;
        if (from != null) {
            from.writer().takeFailures();
        }
        addWarn("Appender [" + getName() + "]: " + chunk.records() + " log events are in no blob, since the chunk for "
                + chunk.blob() + " failed: " + chunk.cause().getMessage());
    }

    @Override
    public synchronized void stop() {
        OpenedWriter last = opened;
        if (last == null) {
            return;
        }
        super.stop();
        removeHook();
        try {
            last.writer().close();
        } catch (FailedRecordsException e) {
            e.failures().forEach(this::failed);
        } catch (RuntimeException e) {
            addWarn("Appender [" + getName() + "] did not close its writer: " + e.getMessage(), e);
        }
        OpenedWriter.close(last.client(), last.journal());
        discarded.reportRest();
        opened = null;
    }

    private void removeHook() {
        Thread registered = hook;
        hook = null;
        if (registered != null && registered != Thread.currentThread()) {
            try {
                Runtime.getRuntime().removeShutdownHook(registered);
            } catch (IllegalStateException e) {
                // The JVM stops, and the hook finds a stopped appender.
            }
        }
    }

    /**
     * Returns the writer of the encoded events, such as for {@link io.stowline.records.RecordMetrics} and for a flush.
     *
     * @return the writer; nothing before the start and after the stop
     */
    public Optional<RecordWriter<byte[]>> recordWriter() {
        return Optional.ofNullable(opened).map(OpenedWriter::writer);
    }

    /**
     * Returns how many events the writer has accepted.
     *
     * @return the number since the appender was made
     */
    public long accepted() {
        return accepted.sum();
    }

    /**
     * Returns how many events were discarded: the writer had no room for them or refused them, they could not be encoded, or the appending of
     * another event has logged them.
     *
     * @return the number since the appender was made
     */
    public long discarded() {
        return discarded.total();
    }

    /**
     * Returns how many events were left out for their logger.
     *
     * @return the number since the appender was made
     */
    public long excluded() {
        return excluded.sum();
    }

    /**
     * Sets the encoder: a pattern in XML, or one that writes each event as JSON in one line, such as {@link JsonEncoder}.
     *
     * @param encoder the encoder
     */
    public void setEncoder(Encoder<ILoggingEvent> encoder) {
        this.encoder = encoder;
    }

    /**
     * Sets the layout, in the place of an encoder.
     *
     * @param layout the layout
     */
    public void setLayout(Layout<ILoggingEvent> layout) {
        LayoutWrappingEncoder<ILoggingEvent> wrapping = new LayoutWrappingEncoder<>();
        wrapping.setContext(getContext());
        wrapping.setLayout(layout);
        wrapping.setCharset(StandardCharsets.UTF_8);
        wrapping.start();
        this.encoder = wrapping;
    }

    /**
     * Sets the ending of blob names.
     *
     * @param suffix the ending; {@code .jsonl} for a {@link JsonEncoder} and {@code .log} for others unless set
     */
    public void setSuffix(String suffix) {
        this.suffix = suffix;
    }

    /**
     * Sets the loggers whose events are left out, with those below them.
     *
     * @param names names with commas between them, {@code io.stowline,com.azure,io.netty,reactor} unless set; {@code none} leaves
     *     out none
     */
    public void setExcludeLoggers(String names) {
        this.excludedLoggers = ExcludedLoggers.of(names);
    }

    /**
     * Sets whether a shutdown hook of the JVM stops the appender.
     *
     * @param shutdownHook false where the application stops it; the default is true
     */
    public void setShutdownHook(boolean shutdownHook) {
        this.shutdownHook = shutdownHook;
    }
}
