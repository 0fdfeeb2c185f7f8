package io.stowline.testkit.internal;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an emulator's start.
 *
 * @param accounts account names with their Base64 keys, the well-known one first
 * @param ports where the services listen; 0 for a free port
 * @param keepAliveTimeout how long an idle connection stays open, in whole seconds
 * @param startTimeout how long to wait until all three services listen
 * @param accessLog whether each request is a line of the output
 * @param debugLog the file for the emulator's own full log
 */
public record AzuriteSettings(
        Map<String, String> accounts,
        ServicePorts ports,
        Duration keepAliveTimeout,
        Duration startTimeout,
        boolean accessLog,
        @Nullable Path debugLog) {}
