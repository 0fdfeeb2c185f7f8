package io.stowline.spring.boot.listener;

import io.stowline.queue.QueueConsumer;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.listener.QueueListenerStart.ListenerEnvironment;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.util.ClassUtils;

/**
 * A scanner that finds the methods with {@link StowlineQueueListener} by the types of the beans, without making a bean, and registers a container for each.
 * What is wrong with a method fails the start of the application here, also if its listener does not start by itself.
 */
final class ListenerMethodScanner implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerMethodScanner.class);
    private static final String MESSAGING =
            "org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory";
    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]*");

    private final ConfigurableListableBeanFactory beans;
    private final StowlineQueueListenerRegistry registry;
    private final ConsumerProperties general;
    private final Binder binder;
    private final ListenerEnvironment environment;
    private final Set<String> failureHandlers = new HashSet<>();
    private @Nullable String generalFailureHandler;

    ListenerMethodScanner(
            ConfigurableListableBeanFactory beans,
            StowlineQueueListenerRegistry registry,
            ConsumerProperties general,
            Binder binder,
            ListenerEnvironment environment) {
        this.beans = beans;
        this.registry = registry;
        this.general = general;
        this.binder = binder;
        this.environment = environment;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String bean : beans.getBeanNamesForType(Object.class)) {
            if (!ScopedProxyUtils.isScopedTarget(bean)) {
                Class<?> type = type(bean);
                if (type != null && AnnotationUtils.isCandidateClass(type, StowlineQueueListener.class)) {
                    scan(bean, type);
                }
            }
        }
        generalFailureHandler = FailureRules.general(beans, failureHandlers);
        warnOfUnknownNames();
    }

    /** A name that is neither a setting nor an id sets nothing: it is misspelt, or its listener is gone. */
    private void warnOfUnknownNames() {
        List<String> settings = Stream.of(ConsumerProperties.class.getRecordComponents())
                .map(RecordComponent::getName)
                .map(DataObjectPropertyName::toDashedForm)
                .toList();
        List<String> ids =
                registry.listeners().stream().map(QueueListenerContainer::id).toList();
        unknown(ConsumerProperties.PREFIX, Stream.of(settings, ids, List.of("enabled")))
                .forEach(name -> LOG.warn(
                        "'{}' sets nothing: it is no setting of all listeners, and no listener has this id, only {}",
                        name,
                        ids));
        ids.stream()
                .flatMap(id -> unknown(ConsumerProperties.PREFIX + "." + id, Stream.of(settings)))
                .forEach(name -> LOG.warn("'{}' sets nothing: a listener has the settings {}", name, settings));
    }

    private Stream<String> unknown(String prefix, Stream<List<String>> knownNames) {
        Set<String> known = knownNames
                .flatMap(List::stream)
                .map(ListenerMethodScanner::uniform)
                .collect(Collectors.toSet());
        return binder.bind(prefix, Bindable.mapOf(String.class, Object.class)).orElseGet(Map::of).keySet().stream()
                .filter(name -> !known.contains(uniform(name)))
                .sorted()
                .map(name -> prefix + "." + name);
    }

    /** Spring Boot compares names of properties so: those of environment variables have no hyphens. */
    private static String uniform(String name) {
        return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }

    private @Nullable Class<?> type(String bean) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
            if (type != null && ScopedObject.class.isAssignableFrom(type)) {
                Class<?> target = AutoProxyUtils.determineTargetClass(beans, ScopedProxyUtils.getTargetBeanName(bean));
                return target == null ? type : target;
            }
            return type;
        } catch (RuntimeException | LinkageError e) {
            LOG.debug("The type of the bean '{}' is not known, so that its methods do not listen", bean, e);
            return null;
        }
    }

    private void scan(String bean, Class<?> type) {
        Map<Method, StowlineQueueListener> methods;
        try {
            methods = MethodIntrospector.selectMethods(
                    type, (MethodIntrospector.MetadataLookup<@Nullable StowlineQueueListener>)
                            method -> AnnotatedElementUtils.findMergedAnnotation(method, StowlineQueueListener.class));
        } catch (LinkageError e) {
            LOG.debug("The methods of the bean '{}' are not known, so that they do not listen", bean, e);
            return;
        }
        methods.forEach((method, annotation) -> {
            String description = "The listener method '" + method.toGenericString() + "' of the bean '" + bean + "'";
            try {
                registry.add(container(bean, type, method, annotation, description));
            } catch (IllegalArgumentException e) {
                throw new StowlineConfigurationException(
                        description + " cannot listen: " + e.getMessage() + ".",
                        "Correct the method or its annotation @StowlineQueueListener.",
                        e);
            }
        });
    }

    private QueueListenerContainer container(
            String bean, Class<?> type, Method method, StowlineQueueListener annotation, String description) {
        requireMessaging(description);
        if (!beans.isSingleton(bean)) {
            throw new IllegalArgumentException("the bean is not a singleton");
        }
        ListenedQueue queue = queue(annotation);
        ListenedQueue replies = replies(method, type, queue);
        ListenerSignature signature = ListenerSignature.of(method, type, replies != null);
        queue.checkAccount(environment.clients());
        queue.check(signature.body());
        if (replies != null) {
            replies.checkAccount(environment.clients());
            replies.checkReply(Objects.requireNonNull(signature.reply()));
        }
        String id = id(annotation, queue);
        ListenerSettings settings = new ListenerSettings(
                id,
                binder.bind(ConsumerProperties.PREFIX + "." + id, ConsumerProperties.class)
                        .orElseGet(() -> ConsumerProperties.NONE),
                ListenerSettings.attributes(annotation, beans::resolveEmbeddedValue),
                general);
        if (!signature.batch() && !annotation.batch().isEmpty()) {
            throw new IllegalArgumentException("'batch' is set, but no parameter takes a batch");
        }
        if (signature.validates() && environment.validator() == null) {
            throw new IllegalArgumentException("a body is to be validated, but there is no Validator");
        }
        return new QueueListenerContainer(
                id,
                queue.account(),
                queue.name(),
                description,
                settings,
                new QueueListenerStart(
                        id,
                        () -> beans.getBean(bean),
                        method,
                        description,
                        signature,
                        settings,
                        queue,
                        replies,
                        failures(annotation, settings),
                        environment));
    }

    private FailureRules failures(StowlineQueueListener annotation, ListenerSettings settings) {
        String handler = resolve(annotation.errorHandler());
        failureHandlers.add(handler);
        return FailureRules.of(beans, handler, settings, this::generalFailureHandler);
    }

    private QueueConsumer.@Nullable FailureHandler generalFailureHandler() {
        return generalFailureHandler == null
                ? null
                : beans.getBean(generalFailureHandler, QueueConsumer.FailureHandler.class);
    }

    private void requireMessaging(String description) {
        if (!ClassUtils.isPresent(MESSAGING, beans.getBeanClassLoader())) {
            throw new StowlineConfigurationException(
                    description + " cannot listen: spring-messaging is not on the class path.",
                    "Add the dependency org.springframework:spring-messaging, which stowline-spring-boot-starter"
                            + " brings.");
        }
    }

    private ListenedQueue queue(StowlineQueueListener annotation) {
        String name = resolve(annotation.queue());
        String bean = resolve(annotation.queueBean());
        String account = resolve(annotation.account());
        if (name.isEmpty() == bean.isEmpty()) {
            throw new IllegalArgumentException("it needs either 'queue' or 'queueBean'");
        }
        if (name.isEmpty()) {
            if (!account.isEmpty()) {
                throw new IllegalArgumentException("'account' is set beside 'queueBean', which has an account");
            }
            return ListenedQueue.ofBean(beans, bean);
        }
        return ListenedQueue.ofName(beans, account.isEmpty() ? AccountClients.MAIN : account, name);
    }

    private @Nullable ListenedQueue replies(Method method, Class<?> type, ListenedQueue queue) {
        SendTo annotation = AnnotatedElementUtils.findMergedAnnotation(method, SendTo.class);
        if (annotation == null) {
            if (AnnotatedElementUtils.hasAnnotation(type, SendTo.class)) {
                throw new IllegalArgumentException("its class has @SendTo, which belongs on the method");
            }
            return null;
        }
        List<String> destinations =
                Stream.of(annotation.value()).map(this::resolve).toList();
        if (destinations.size() != 1 || destinations.get(0).isEmpty()) {
            throw new IllegalArgumentException(
                    "@SendTo names " + destinations + ", but a listener replies to one queue");
        }
        return ListenedQueue.ofReplies(beans, queue.account(), destinations.get(0));
    }

    private String id(StowlineQueueListener annotation, ListenedQueue queue) {
        String id = resolve(annotation.id());
        if (id.isEmpty()) {
            id = queue.account().equals(AccountClients.MAIN) ? queue.name() : queue.account() + "-" + queue.name();
        }
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "the id '" + id + "' does not consist of lower-case letters, digits and hyphens");
        }
        return id;
    }

    private String resolve(String value) {
        return Objects.requireNonNullElse(beans.resolveEmbeddedValue(value), "").trim();
    }
}
