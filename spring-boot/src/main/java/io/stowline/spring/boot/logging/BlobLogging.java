package io.stowline.spring.boot.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggerContextListener;
import io.stowline.logback.RecordAppender;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * The logging of an application into blobs: an appender of the root logger, from before other lifecycle beans start until the beans are
 * destroyed. A reset of Logback, such as a scan for a changed configuration makes, attaches it again. Thread-safe.
 */
final class BlobLogging implements SmartLifecycle, DisposableBean, LoggerContextListener {

    /** Behind the creation of containers. */
    private static final int PHASE = Integer.MIN_VALUE + 1;

    private final LoggerContext context;
    private final RecordAppender appender;
    private boolean attached;

    /**
     * Makes the logging.
     *
     * @param appender an appender that is started
     */
    BlobLogging(LoggerContext context, RecordAppender appender) {
        this.context = context;
        this.appender = appender;
    }

    RecordAppender appender() {
        return appender;
    }

    private Logger root() {
        return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @Override
    public synchronized void start() {
        if (!attached) {
            attached = true;
            root().addAppender(appender);
            context.addListener(this);
        }
    }

    /** Stays attached: the stop of later lifecycle beans and the destruction of beans are logged, too. */
    @Override
    public void stop() {}

    @Override
    public synchronized boolean isRunning() {
        return attached;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Runs before the client is closed. */
    @Override
    public synchronized void destroy() {
        attached = false;
        context.removeListener(this);
        root().detachAppender(appender);
        appender.stop();
    }

    @Override
    public boolean isResetResistant() {
        return true;
    }

    /** A reset has detached and stopped all appenders. */
    @Override
    public synchronized void onReset(LoggerContext reset) {
        if (attached) {
            appender.start();
            root().addAppender(appender);
        }
    }

    @Override
    public void onStart(LoggerContext started) {}

    @Override
    public void onStop(LoggerContext stopped) {}

    @Override
    public void onLevelChange(Logger logger, Level level) {}
}
