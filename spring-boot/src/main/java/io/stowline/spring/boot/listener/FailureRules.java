package io.stowline.spring.boot.listener;

import io.stowline.queue.QueueConsumer.Failure;
import io.stowline.queue.QueueConsumer.FailureAction;
import io.stowline.queue.QueueConsumer.FailureHandler;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/**
 * The rules that decide on failures of one listener. Its handler decides alone. Without one the classes of exceptions decide, and then the handler
 * of all listeners; what none of them decides counts as a failure.
 *
 * @param own gets the handler of the listener; {@code null} without one
 * @param poisonOn the exceptions that are poison at once
 * @param uncountedOn the exceptions that do not count
 * @param general gets the handler of all listeners, or {@code null}
 */
record FailureRules(
        @Nullable Supplier<FailureHandler> own,
        List<Class<? extends Throwable>> poisonOn,
        List<Class<? extends Throwable>> uncountedOn,
        Supplier<@Nullable FailureHandler> general) {

    private static final Logger LOG = LoggerFactory.getLogger(FailureRules.class);

    /** Chains of causes may be circular. */
    private static final int MAX_CAUSES = 50;

    /**
     * Makes the rules of a listener.
     *
     * @param beans the application's beans
     * @param handler the name of the listener's handler, or an empty text
     * @param settings the listener's settings
     * @param general gets the handler of all listeners, or {@code null}
     * @throws IllegalArgumentException if the handler is no bean of its type, or the classes contradict one another or the handler
     */
    static FailureRules of(
            ConfigurableListableBeanFactory beans,
            String handler,
            ListenerSettings settings,
            Supplier<@Nullable FailureHandler> general) {
        List<Class<? extends Throwable>> poisonOn = settings.exceptions(ConsumerProperties::poisonOn, "poison-on");
        List<Class<? extends Throwable>> uncountedOn =
                settings.exceptions(ConsumerProperties::uncountedOn, "uncounted-on");
        for (Class<?> type : poisonOn) {
            if (uncountedOn.contains(type)) {
                throw new IllegalArgumentException("both 'poison-on' and 'uncounted-on' name " + type.getName() + ": "
                        + settings.origin(ConsumerProperties::poisonOn, "poison-on") + " and "
                        + settings.origin(ConsumerProperties::uncountedOn, "uncounted-on")
                        + "; take it out of one of them, or override one by a property of the listener's id");
            }
        }
        if (handler.isEmpty()) {
            return new FailureRules(null, poisonOn, uncountedOn, general);
        }
        if (settings.hasOwnExceptions()) {
            throw new IllegalArgumentException("the exceptions of 'poison-on' and 'uncounted-on' have no effect beside"
                    + " its errorHandler '" + handler + "', which decides alone");
        }
        if (!beans.containsBean(handler) || !beans.isTypeMatch(handler, FailureHandler.class)) {
            throw new IllegalArgumentException("its errorHandler '" + handler
                    + "' is no bean of type QueueConsumer.FailureHandler, only "
                    + List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, FailureHandler.class)));
        }
        return new FailureRules(() -> beans.getBean(handler, FailureHandler.class), List.of(), List.of(), general);
    }

    /**
     * Finds the handler of all listeners. A bean that a listener names is for that listener, unless it is primary.
     *
     * @param beans the application's beans
     * @param named the names of the handlers of single listeners
     * @return the name of the bean; {@code null} without one
     * @throws StowlineConfigurationException if there are several
     */
    static @Nullable String general(ConfigurableListableBeanFactory beans, Set<String> named) {
        List<String> candidates = Stream.of(
                        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, FailureHandler.class))
                .filter(name -> isCandidate(beans, name))
                .filter(name -> !named.contains(name) || isPrimary(beans, name))
                .toList();
        List<String> primary =
                candidates.stream().filter(name -> isPrimary(beans, name)).toList();
        List<String> chosen = primary.isEmpty() ? candidates : primary;
        if (chosen.size() > 1) {
            throw new StowlineConfigurationException(
                    "Several beans of type QueueConsumer.FailureHandler are there for all listeners: " + chosen + ".",
                    "Mark one of them as @Primary, name each other one as the 'errorHandler' of its listeners, or"
                            + " declare it by @Bean(defaultCandidate = false).");
        }
        return chosen.isEmpty() ? null : chosen.get(0);
    }

    private static boolean isCandidate(ConfigurableListableBeanFactory beans, String name) {
        BeanDefinition definition = definition(beans, name);
        return definition == null
                || (definition.isAutowireCandidate()
                        && !(definition instanceof AbstractBeanDefinition known && !known.isDefaultCandidate()));
    }

    private static boolean isPrimary(ConfigurableListableBeanFactory beans, String name) {
        BeanDefinition definition = definition(beans, name);
        return definition != null && definition.isPrimary();
    }

    private static @Nullable BeanDefinition definition(ConfigurableListableBeanFactory beans, String name) {
        return beans.containsBeanDefinition(name) ? beans.getMergedBeanDefinition(name) : null;
    }

    /** Returns the handler of failures for the consumer of the listener; {@code null} if each failure counts. */
    @Nullable
    FailureHandler handler() {
        if (own != null) {
            return own.get();
        }
        FailureHandler others = general.get();
        if (poisonOn.isEmpty() && uncountedOn.isEmpty()) {
            return others;
        }
        return failure -> {
            FailureAction action = byClass(failure);
            if (action != null) {
                return action;
            }
            return others == null ? FailureAction.RETRY : others.onFailure(failure);
        };
    }

    /** Returns what the first known exception of a chain of causes stands for, or {@code null} if none is known. */
    private @Nullable FailureAction byClass(Failure failure) {
        Throwable each = failure.error();
        for (int cause = 0; each != null && cause < MAX_CAUSES; cause++) {
            Class<?> poison = closest(poisonOn, each);
            Class<?> uncounted = closest(uncountedOn, each);
            if (poison != null && (uncounted == null || uncounted.isAssignableFrom(poison))) {
                report(failure, each, "is poison", "poison-on", poison);
                return FailureAction.POISON;
            }
            if (uncounted != null) {
                report(failure, each, "is not counted", "uncounted-on", uncounted);
                return FailureAction.GIVE_BACK;
            }
            each = each.getCause();
        }
        return null;
    }

    /** The consumer's line has the outermost exception only. */
    private static void report(Failure failure, Throwable known, String action, String list, Class<?> type) {
        if (known == failure.error()) {
            return;
        }
        LOG.warn(
                "The failure of delivery {} of the message {} of {} {}: its {} is of '{}', which names {}",
                failure.dequeueCount(),
                failure.messageId(),
                failure.queue(),
                action,
                known.getClass().getName(),
                list,
                type.getName());
    }

    private static @Nullable Class<?> closest(List<Class<? extends Throwable>> classes, Throwable error) {
        Class<?> closest = null;
        for (Class<?> type : classes) {
            if (type.isInstance(error) && (closest == null || closest.isAssignableFrom(type))) {
                closest = type;
            }
        }
        return closest;
    }
}
