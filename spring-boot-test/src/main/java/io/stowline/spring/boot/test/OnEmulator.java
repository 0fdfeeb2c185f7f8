package io.stowline.spring.boot.test;

import io.stowline.testkit.TestStorage;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches unless {@link TestStorage#VARIABLE} names an account. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnEmulator.NoAccountIsNamed.class)
@interface OnEmulator {

    final class NoAccountIsNamed implements Condition {

        NoAccountIsNamed() {}

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return SharedEmulator.external(System.getenv()) == null;
        }
    }
}
