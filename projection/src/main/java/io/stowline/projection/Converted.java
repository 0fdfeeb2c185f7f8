package io.stowline.projection;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Stores a component by a converter: {@code @Converted(MoneyText.class) Money total}. It goes before a converter that the
 * {@link Mapping} has for the type, and before the rule of the type itself.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface Converted {

    /**
     * Returns the converter's class, which has a constructor without parameters. One instance is made for each component; of an
     * {@code Optional} it converts what is in it.
     *
     * @return the class
     */
    Class<? extends Converter<?, ?>> value();
}
