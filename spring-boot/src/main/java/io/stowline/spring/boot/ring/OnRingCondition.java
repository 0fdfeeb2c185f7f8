package io.stowline.spring.boot.ring;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** A condition that matches if a property describes a ring. */
final class OnRingCondition extends SpringBootCondition {

    /** Made by Spring. */
    OnRingCondition() {}

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Stowline ring");
        return Binder.get(context.getEnvironment())
                        .bind(RingProperties.PREFIX, RingProperties.class)
                        .isBound()
                ? ConditionOutcome.match(message.foundExactly("properties under " + RingProperties.PREFIX))
                : ConditionOutcome.noMatch(message.because("no property under " + RingProperties.PREFIX + " is set"));
    }
}
