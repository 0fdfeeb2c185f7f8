package io.stowline.spring.boot.autoconfigure;

import io.stowline.spring.boot.account.PropertyValue;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.table.WriterSettings;
import io.stowline.transport.StorageLimits;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * A check that refuses properties of the application that are out of range when it starts, also if only a later health check or writer would use them.
 * Immutable and thread-safe.
 */
final class PropertyCheck {

    private static final Duration SHORTEST_CHECK = Duration.ofMillis(1);
    private static final Duration MAX_CHECK = Duration.ofHours(1);

    /**
     * Checks the properties.
     *
     * @throws StowlineConfigurationException naming the first one that is out of range, its value and its limits
     */
    PropertyCheck(StowlineProperties properties) {
        check("health.timeout", properties.health().timeout(), PropertyCheck::checkTimeout);
        StowlineProperties.Writer writer = properties.writer();
        WriterSettings.Builder settings = WriterSettings.builder();
        check("writer.linger", writer.linger(), settings::linger);
        check("writer.buffer-items", writer.bufferItems(), settings::bufferItems);
        check("writer.buffer-size", writer.bufferSize(), PropertyCheck::checkBuffer);
        check("writer.submit-timeout", writer.submitTimeout(), settings::submitTimeout);
        check("writer.delivery-timeout", writer.deliveryTimeout(), settings::deliveryTimeout);
        check("writer.give-up-after", writer.giveUpAfter(), settings::giveUpAfter);
        check("writer.close-timeout", writer.closeTimeout(), settings::closeTimeout);
    }

    private static void checkTimeout(Duration timeout) {
        if (timeout.compareTo(SHORTEST_CHECK) < 0 || timeout.compareTo(MAX_CHECK) > 0) {
            throw new IllegalArgumentException("timeout must be between 1 ms and 1 hour");
        }
    }

    private static void checkBuffer(DataSize size) {
        if (size.toBytes() < StorageLimits.TRANSACTION_MAX_BYTES) {
            throw new IllegalArgumentException("a writer needs room for one entity group transaction, "
                    + StorageLimits.TRANSACTION_MAX_BYTES + " bytes; a size without a unit is in bytes");
        }
    }

    /** Hands a property that is set to what checks it. */
    static <T> void check(String name, @Nullable T value, Consumer<T> setting) {
        if (value != null) {
            new PropertyValue<>(AccountProperties.PREFIX + "." + name, value).into(accepted -> {
                setting.accept(accepted);
                return accepted;
            });
        }
    }
}
