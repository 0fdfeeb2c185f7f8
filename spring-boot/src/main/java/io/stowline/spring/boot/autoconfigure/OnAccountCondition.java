package io.stowline.spring.boot.autoconfigure;

import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** A condition that matches if a property names the default account or a part of what opens it. */
final class OnAccountCondition extends SpringBootCondition {

    static final List<String> PROPERTIES = List.of(
            "connection-string",
            "endpoint",
            "account-name",
            "account-key",
            "sas-token",
            "table.endpoint",
            "queue.endpoint",
            "blob.endpoint");

    /** Made by Spring. */
    OnAccountCondition() {}

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Stowline account");
        Binder binder = Binder.get(context.getEnvironment());
        return PROPERTIES.stream()
                .map(name -> AccountProperties.PREFIX + "." + name)
                .filter(name -> binder.bind(name, String.class).isBound())
                .findFirst()
                .map(name -> ConditionOutcome.match(message.foundExactly("property " + name)))
                .orElseGet(() -> ConditionOutcome.noMatch(message.because("no connection property is set")));
    }
}
