package io.stowline.spring.boot.account;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * The value of a property that is no secret, on its way into a setting.
 *
 * <p>Immutable and thread-safe.
 *
 * @param property the name of the property
 * @param value the value
 * @param <T> the type of the value
 */
public record PropertyValue<T>(String property, T value) {

    /**
     * Makes the value of a property.
     *
     * @param property the name of the property
     * @param value the value
     */
    public PropertyValue {
        Objects.requireNonNull(property, "property");
        Objects.requireNonNull(value, "value");
    }

    /**
     * Hands the value to a setting.
     *
     * @param setting takes the value, and refuses it by an {@link IllegalArgumentException}
     * @param <R> the type of the result
     * @return what the setting returns
     * @throws StowlineConfigurationException if the setting refuses the value
     */
    public <R> R into(Function<? super T, R> setting) {
        try {
            return setting.apply(value);
        } catch (IllegalArgumentException e) {
            throw refused(e.getMessage(), e);
        }
    }

    /**
     * Makes the failure that names the property, its value and the reason.
     *
     * @param reason a clause without a full stop, such as the limit and the way out
     * @return the failure
     */
    public StowlineConfigurationException refused(String reason) {
        return refused(reason, null);
    }

    /**
     * Makes the failure that names the property, its value and the reason.
     *
     * @param reason a clause without a full stop, such as the limit and the way out
     * @param cause the cause, or {@code null}
     * @return the failure
     */
    public StowlineConfigurationException refused(@Nullable String reason, @Nullable Throwable cause) {
        Object shown = value instanceof DataSize size ? size.toBytes() + " bytes" : value;
        return new StowlineConfigurationException(
                "The property '" + property + "' is '" + shown + "', which is refused: " + reason + ".",
                "Set '" + property + "' to a value that is allowed, or remove it to use the default.",
                cause);
    }
}
