package io.stowline.benchmarks.records;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.FileAppender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A log file by Logback's appender, with its defaults and the pattern {@code %msg%n}. */
final class LogFile implements RecordContender {

    private final LoggerContext context = new LoggerContext();
    private final Path file;
    private final Logger logger;
    private final ThreadedWrites threads;

    LogFile(Path file, int threads) {
        this.file = file;
        this.threads = new ThreadedWrites(threads);
        context.setMDCAdapter(new LogbackMDCAdapter()); // as SLF4J does; without it each event makes an exception
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%msg%n");
        encoder.start();
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setContext(context);
        appender.setFile(file.toString());
        appender.setEncoder(encoder);
        appender.start();
        this.logger = context.getLogger("activities");
        logger.setAdditive(false);
        logger.addAppender(appender);
    }

    @Override
    public long store(int records) throws Exception {
        threads.write(records, logger::info);
        // Behind what is written; the appender appends.
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
        return 0;
    }

    @Override
    public void close() {
        threads.close();
        context.stop();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
