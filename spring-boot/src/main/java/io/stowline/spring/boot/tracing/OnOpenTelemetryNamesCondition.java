package io.stowline.spring.boot.tracing;

import io.stowline.spring.boot.account.PropertyValue;
import java.util.Arrays;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** A condition that OpenTelemetry's names are opted in: by our property, else by the variable of OpenTelemetry. */
final class OnOpenTelemetryNamesCondition extends SpringBootCondition {

    private static final String PROPERTY = "stowline.observations.convention";

    /** As an environment variable {@code OTEL_SEMCONV_STABILITY_OPT_IN}. */
    private static final String OPT_IN = "otel.semconv-stability.opt-in";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Environment environment = context.getEnvironment();
        String value = environment.getProperty(PROPERTY);
        boolean chosen = value == null ? isOptedIn(environment.getProperty(OPT_IN, "")) : isChosen(value);
        return new ConditionOutcome(
                chosen,
                ConditionMessage.forCondition("OpenTelemetry names")
                        .because("they are " + (chosen ? "" : "not ") + "chosen by " + PROPERTY + " or " + OPT_IN));
    }

    private static boolean isChosen(String value) {
        if (value.equalsIgnoreCase("opentelemetry")) {
            return true;
        }
        if (!value.equalsIgnoreCase("stowline")) {
            throw new PropertyValue<>(PROPERTY, value).refused("it is 'stowline' or 'opentelemetry'");
        }
        return false;
    }

    /** A category with {@code /dup} wants the former names, too: they stay anyway. */
    private static boolean isOptedIn(String categories) {
        return Arrays.stream(categories.split(",", -1))
                .map(category -> category.strip().replaceFirst("/dup$", ""))
                .anyMatch(category -> category.equals("messaging") || category.equals("database"));
    }
}
