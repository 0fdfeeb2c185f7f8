package io.stowline.spring.boot.test;

import io.stowline.spring.boot.test.StowlineTest.StorageMode;
import io.stowline.testkit.TestStorage;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Objects;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches in a mode of the storage; an emulator that is to run needs an environment in which {@link TestStorage#VARIABLE} names no account, too. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnStorageMode.ModeIsChosen.class)
@interface OnStorageMode {

    String PROPERTY = "stowline.test.storage";

    /** Returns the mode. */
    StorageMode value();

    /** Returns whether an emulator runs. */
    boolean runsEmulator() default false;

    final class ModeIsChosen implements Condition {

        ModeIsChosen() {}

        /** An unknown mode fails the start: no client may be left to the accounts of the properties. */
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            var attributes = Objects.requireNonNull(metadata.getAnnotationAttributes(OnStorageMode.class.getName()));
            StorageMode chosen = Binder.get(context.getEnvironment())
                    .bind(PROPERTY, StorageMode.class)
                    .orElse(StorageMode.AZURITE);
            return chosen == attributes.get("value")
                    && !(Boolean.TRUE.equals(attributes.get("runsEmulator"))
                            && SharedEmulator.external(System.getenv()) != null);
        }
    }
}
