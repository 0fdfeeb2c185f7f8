package io.stowline.spring.boot.listener;

import io.stowline.Stowline;
import io.stowline.queue.MessageQueue;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.autoconfigure.DeclaredResource;
import io.stowline.spring.boot.autoconfigure.DeclaredResource.Kind;
import io.stowline.spring.boot.autoconfigure.DeclaredResources;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * The queue of a listener: a bean that the annotation names, the bean of a declared queue, or a queue of the account's client.
 *
 * @param beans the application's beans
 * @param account the account's name
 * @param name the queue's name
 * @param bean the name of the queue's bean; {@code null} without one
 * @param isDeclared whether a {@code StowlineBeans} declares the queue
 */
record ListenedQueue(
        ConfigurableListableBeanFactory beans,
        String account,
        String name,
        @Nullable String bean,
        boolean isDeclared) {

    /**
     * Finds the queue of a bean.
     *
     * @throws IllegalArgumentException if there is no such bean, or it is of another type
     */
    static ListenedQueue ofBean(ConfigurableListableBeanFactory beans, String bean) {
        for (DeclaredResource resource : declared(beans)) {
            if (resource.beanName().equals(bean)) {
                return new ListenedQueue(beans, resource.account(), resource.name(), bean, true);
            }
        }
        try {
            String name = beans.getBean(bean, MessageQueue.class).name();
            return new ListenedQueue(beans, AccountClients.MAIN, name, bean, false);
        } catch (BeanNotOfRequiredTypeException e) {
            throw new IllegalArgumentException(
                    "the bean '" + bean + "' is of type " + declared(e.getActualType()) + ", not MessageQueue", e);
        } catch (NoSuchBeanDefinitionException e) {
            throw new IllegalArgumentException(
                    "no bean of type MessageQueue has the name '" + bean + "', only "
                            + List.of(beans.getBeanNamesForType(MessageQueue.class, true, false)),
                    e);
        }
    }

    /** Finds a queue by its name. */
    static ListenedQueue ofName(ConfigurableListableBeanFactory beans, String account, String name) {
        for (DeclaredResource resource : declared(beans)) {
            if (resource.account().equals(account) && resource.name().equals(name)) {
                return new ListenedQueue(beans, account, name, resource.beanName(), true);
            }
        }
        return new ListenedQueue(beans, account, name, null, false);
    }

    /**
     * Finds the queue of replies.
     *
     * @param account the account of the listener's queue
     * @param destination the name of a bean of a queue, or of a queue, or {@code account:queue}
     */
    static ListenedQueue ofReplies(ConfigurableListableBeanFactory beans, String account, String destination) {
        int colon = destination.indexOf(':');
        if (colon >= 0) {
            return ofName(beans, destination.substring(0, colon), destination.substring(colon + 1));
        }
        return beans.containsBean(destination) && beans.isTypeMatch(destination, MessageQueue.class)
                ? ofBean(beans, destination)
                : ofName(beans, account, destination);
    }

    private static List<DeclaredResource> declared(BeanFactory beans) {
        return beans.getBeanProvider(DeclaredResources.class)
                .orderedStream()
                .flatMap(all -> all.resources().stream())
                .filter(resource -> resource.kind() == Kind.QUEUE)
                .toList();
    }

    /**
     * Checks that the bodies of the queue are what the method takes.
     *
     * @param body what the method takes; {@code null} if it does not declare it
     * @throws IllegalArgumentException if they are not, or neither the method nor a bean names their type
     */
    void check(@Nullable ResolvableType body) {
        if (bean == null) {
            checkClass(body);
            return;
        }
        ResolvableType carried = carried(bean);
        if (body != null && carried.resolve() != null && !body.isAssignableFrom(carried)) {
            throw new IllegalArgumentException("it takes " + body + ", but the messages of the bean '" + bean
                    + "' have bodies of type " + carried);
        }
    }

    /**
     * Checks that the queue takes what the method returns.
     *
     * @param reply the type of the bodies
     * @throws IllegalArgumentException if it does not, or no bean has a codec for them
     */
    void checkReply(ResolvableType reply) {
        if (bean == null) {
            checkClass(reply);
            return;
        }
        ResolvableType carried = carried(bean);
        if (carried.resolve() != null && !carried.isAssignableFrom(reply)) {
            throw new IllegalArgumentException("it returns " + reply + ", but the messages of the bean '" + bean
                    + "' have bodies of type " + carried);
        }
    }

    private ResolvableType carried(String queue) {
        return beans.getMergedBeanDefinition(queue)
                .getResolvableType()
                .as(MessageQueue.class)
                .getGeneric(0);
    }

    private static void checkClass(@Nullable ResolvableType body) {
        if (body == null) {
            throw new IllegalArgumentException("no parameter names the type of the bodies");
        }
        if (body.hasGenerics()) {
            throw new IllegalArgumentException("the type of the bodies, " + body
                    + ", has type arguments: that needs a bean of the queue with a codec");
        }
    }

    /**
     * Returns the queue.
     *
     * @param body the type of the bodies; {@code null} if the method does not declare it
     * @param clients the clients of all accounts
     */
    MessageQueue<?> queue(@Nullable ResolvableType body, AccountClients clients) {
        if (bean != null) {
            return beans.getBean(bean, MessageQueue.class);
        }
        Class<?> type = body == null ? String.class : body.toClass();
        return client(clients).queue(name, type);
    }

    /**
     * Names the queue for messages, with its account as the service knows it.
     *
     * @param clients the clients of all accounts
     */
    String description(AccountClients clients) {
        String where = bean == null || isDeclared
                ? " of account '" + client(clients).accountName() + "'"
                : " of the bean '" + bean + "'";
        return "queue '" + name + "'" + where;
    }

    private Stowline client(AccountClients clients) {
        return clients.client("A listener", account);
    }

    /**
     * Checks that the account is configured.
     *
     * @param clients the clients of all accounts
     * @throws IllegalArgumentException if it is not
     */
    void checkAccount(AccountClients clients) {
        if (bean == null && !account.equals(AccountClients.MAIN) && !clients.hasFurther(account)) {
            throw new IllegalArgumentException(clients.missing("it", account));
        }
    }

    /** Names an implementation of the library by the interface that the application declares. */
    private static String declared(Class<?> type) {
        Class<?>[] interfaces = type.getInterfaces();
        boolean internal = type.getPackageName().contains(".internal.");
        return (internal && interfaces.length > 0 ? interfaces[0] : type).getName();
    }
}
