package io.stowline.logback;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A program that logs by SLF4J, knows nothing of the appender, and ends. */
final class LoggingProgram {

    private LoggingProgram() {}

    /** Logs as many events as the first argument says. */
    public static void main(String[] arguments) {
        Logger log = LoggerFactory.getLogger("shop.Orders");
        int events = Integer.parseInt(arguments[0]);
        long start = System.nanoTime();
        for (int i = 0; i < events; i++) {
            log.info("event {}", i);
        }
        System.out.println("logged in ms " + (System.nanoTime() - start) / 1_000_000);
    }
}
