package io.stowline.spring.boot.aot;

import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.spring.boot.repository.StowlineRepository;
import io.stowline.table.ReactiveTable;
import io.stowline.table.Table;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * A processor that registers the Java types of tables, queues and records, those of a ring included, for reflection: constructors, fields and methods of each type that stands in the generic type
 * of a bean, and of the types of its components. Repositories get their proxies and their methods.
 */
final class StowlineRuntimeHints implements BeanFactoryInitializationAotProcessor {

    /** By names: the modules of records and of rings are optional. */
    private static final Set<String> MAPPED = Set.of(
            Table.class.getName(),
            ReactiveTable.class.getName(),
            MessageQueue.class.getName(),
            ReactiveMessageQueue.class.getName(),
            "io.stowline.records.RecordWriter",
            "io.stowline.ring.RingTable",
            "io.stowline.ring.RingQueue");

    /** Made by Spring. */
    StowlineRuntimeHints() {}

    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beanFactory) {
        Set<Class<?>> types = new LinkedHashSet<>();
        Set<Class<?>> repositories = new LinkedHashSet<>();
        for (String name : beanFactory.getBeanDefinitionNames()) {
            ResolvableType bean = beanFactory.getMergedBeanDefinition(name).getResolvableType();
            if (MAPPED.contains(bean.toClass().getName())) {
                add(bean, types);
            } else if (StowlineRepository.class.isAssignableFrom(bean.toClass())
                    && bean.toClass().isInterface()) {
                repositories.add(bean.toClass());
                add(bean.as(StowlineRepository.class), types);
            }
        }
        return types.isEmpty() && repositories.isEmpty()
                ? null
                : (context, code) -> register(context.getRuntimeHints(), types, repositories);
    }

    private static void register(RuntimeHints hints, Set<Class<?>> types, Set<Class<?>> repositories) {
        new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), types.toArray(Type[]::new));
        MappedTypeHints mapped = new MappedTypeHints(hints.reflection());
        types.forEach(mapped::register);
        for (Class<?> repository : repositories) {
            hints.proxies().registerJdkProxy(repository);
            hints.reflection().registerType(repository, MemberCategory.INVOKE_PUBLIC_METHODS);
            for (Method method : repository.getMethods()) {
                hints.reflection().registerMethod(method, ExecutableMode.INVOKE);
            }
        }
    }

    private static void add(ResolvableType mapped, Set<Class<?>> types) {
        Class<?> type = mapped.getGeneric(0).resolve();
        if (type != null && !ClassUtils.isPrimitiveOrWrapper(type) && !isOurs(type)) {
            addMapped(type, types);
        }
    }

    /** A sealed type is read as the types that it permits. */
    private static void addMapped(Class<?> type, Set<Class<?>> types) {
        types.add(type);
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                addMapped(permitted, types);
            }
        }
    }

    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("java.") || type.getPackage() == Table.class.getPackage();
    }
}
