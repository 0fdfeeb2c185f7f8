package io.stowline.spring.boot.autoconfigure;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.projection.Mapping;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.autoconfigure.DeclaredResource.Kind;
import io.stowline.spring.boot.repository.StowlineRepository;
import io.stowline.spring.boot.repository.TableRepositoryFactory;
import io.stowline.table.Entity;
import io.stowline.table.ReactiveTable;
import io.stowline.table.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.BeanRegistry.SupplierContext;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * A registrar that declares the tables, queues and containers of an application as beans. The application extends this class and imports it
 * with {@code @Import(Storage.class)} on its main class:
 *
 * <pre>{@code
 * class Storage extends StowlineBeans {
 *     @Override
 *     protected void declare() {
 *         table("registrations", Runner.class);
 *         queue("orders", Order.class);
 *         container("photos");
 *     }
 * }
 * }</pre>
 *
 * <p>Each declaration makes a blocking and a reactive bean, both with the name of the resource as their qualifier. Names of resources of further
 * accounts begin with that of the account, and an injection of one needs its qualifier: a type alone finds resources of the default account.
 *
 * <p>In a context without clients, such as that of {@code @WebMvcTest}, the beans are lazy: only the use of one fails, and a test may replace it by a
 * mock.
 *
 * <p>Making these beans sends nothing. With {@code stowline.create-missing} the resources are created when the application starts.
 *
 * <p>Not thread-safe; Spring calls it while it registers beans.
 */
public abstract class StowlineBeans implements BeanRegistrar {

    private final List<Declaration> declarations = new ArrayList<>();

    /** Makes a registrar without declarations. */
    protected StowlineBeans() {}

    /** Declares the resources by calls of the methods of this class. */
    protected abstract void declare();

    /**
     * Declares a table of the default account whose entities have one Java type.
     *
     * @param name the table's name
     * @param type a record or an immutable class with {@code @PartitionKey} and {@code @RowKey}
     * @return the declaration, which may be given another bean name
     */
    protected final Declaration table(String name, Class<?> type) {
        return account(AccountClients.MAIN).table(name, type);
    }

    /**
     * Declares a table of the default account with a mapping.
     *
     * @param name the table's name
     * @param type a record or an immutable class with {@code @PartitionKey} and {@code @RowKey}
     * @param mapping changes the standard mapping
     * @return the declaration, which may be given another bean name
     */
    protected final Declaration table(String name, Class<?> type, UnaryOperator<Mapping.Builder> mapping) {
        return account(AccountClients.MAIN).table(name, type, mapping);
    }

    /**
     * Declares a table of the default account whose properties are not known before: {@code Table<Entity>}.
     *
     * @param name the table's name
     * @return the declaration, which may be given another bean name
     */
    protected final Declaration table(String name) {
        return table(name, Entity.class);
    }

    /**
     * Declares a table of the default account with a repository over it, which is the bean: {@code runners} for {@code Runners}.
     *
     * @param table the table's name
     * @param type an interface that extends {@code TableRepository} or {@code ReactiveTableRepository}
     * @param <T> the type of the entities
     * @return the declaration, which may be given another bean name
     */
    protected final <T> Declaration repository(String table, Class<? extends StowlineRepository<T>> type) {
        return account(AccountClients.MAIN).repository(table, type);
    }

    /**
     * Declares a table of the default account with a repository that has indexes or composite keys:
     *
     * <pre>{@code
     * interface Runners extends TableRepository<Runner> {
     *     Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);
     *
     *     List<Runner> findByRaceAndAgeBetween(String race, int youngest, int oldest);
     * }
     *
     * class Storage extends StowlineBeans {
     *     @Override
     *     protected void declare() {
     *         repository("registrations", Runners.class, runners -> runners.index(Runners.AGE));
     *     }
     * }
     * }</pre>
     *
     * @param table the table's name
     * @param type an interface that extends {@code TableRepository} or {@code ReactiveTableRepository}
     * @param keys adds indexes and formats of the keys
     * @param <T> the type of the entities
     * @return the declaration, which may be given another bean name
     */
    protected final <T> Declaration repository(
            String table, Class<? extends StowlineRepository<T>> type, UnaryOperator<TableRepositoryFactory<T>> keys) {
        return account(AccountClients.MAIN).repository(table, type, keys);
    }

    /**
     * Declares a queue of the default account.
     *
     * @param name the queue's name
     * @param type the type of the message bodies
     * @return the declaration, which may be given another bean name
     */
    protected final Declaration queue(String name, Class<?> type) {
        return account(AccountClients.MAIN).queue(name, type);
    }

    /**
     * Declares a queue of the default account as a view, such as one with envelopes:
     *
     * <pre>{@code
     * class Storage extends StowlineBeans {
     *     @Override
     *     protected void declare() {
     *         queue("orders", Order.class, (orders, client) -> orders.withEnvelope(e -> e.claimCheck(client.container("bodies"))));
     *     }
     * }
     * }</pre>
     *
     * @param name the queue's name
     * @param type the type of the message bodies
     * @param view makes the view from the queue and the client of its account; it is called for each of the two beans
     * @param <T> the type of the message bodies
     * @return the declaration, which may be given another bean name
     */
    protected final <T> Declaration queue(
            String name, Class<T> type, BiFunction<MessageQueue<T>, Stowline, MessageQueue<T>> view) {
        return account(AccountClients.MAIN).queue(name, type, view);
    }

    /**
     * Declares a queue of text messages of the default account.
     *
     * @param name the queue's name
     * @return the declaration, which may be given another bean name
     */
    protected final Declaration queue(String name) {
        return queue(name, String.class);
    }

    /**
     * Declares a container of the default account.
     *
     * @param name the container's name
     * @return the declaration, which may be given another bean name
     */
    protected final Declaration container(String name) {
        return account(AccountClients.MAIN).container(name);
    }

    /**
     * Selects a further account.
     *
     * @param name its name below {@code stowline.accounts}
     * @return declares the account's resources
     */
    protected final Account account(String name) {
        return new Account(Objects.requireNonNull(name, "name"), declarations);
    }

    /**
     * Registers the declared beans. Called by Spring.
     *
     * @param registry receives the beans
     * @param environment is not used
     * @throws IllegalStateException if two declarations have one bean name
     */
    @Override
    public final void register(BeanRegistry registry, Environment environment) {
        declarations.clear();
        declare();
        List<DeclaredResource> resources = new ArrayList<>();
        Map<String, String> qualifiers = new HashMap<>();
        Map<String, String> furtherQualifiers = new HashMap<>();
        for (Declaration declaration : declarations) {
            DeclaredResource resource = declaration.resource();
            for (DeclaredResource other : resources) {
                if (other.beanName().equals(resource.beanName())) {
                    throw new IllegalStateException(getClass().getName() + " declares a "
                            + other.kind().name().toLowerCase(Locale.ROOT) + " and a "
                            + resource.kind().name().toLowerCase(Locale.ROOT) + " as bean '"
                            + resource.beanName() + "': give one of them another name by beanName(..)");
                }
            }
            resources.add(resource);
            boolean main = AccountClients.MAIN.equals(resource.account());
            declaration.register(registry, main ? qualifiers : furtherQualifiers);
        }
        registry.registerBean(
                getClass().getName() + ".resources",
                DeclaredResources.class,
                spec -> spec.supplier(context -> new DeclaredResources(resources)));
        registry.registerBean(
                getClass().getName() + ".qualifiers",
                QualifiedBeans.class,
                spec -> spec.supplier(context -> new QualifiedBeans(qualifiers, true)));
        registry.registerBean(
                getClass().getName() + ".furtherQualifiers",
                QualifiedBeans.class,
                spec -> spec.supplier(context -> new QualifiedBeans(furtherQualifiers, false)));
    }

    /** A registrar that declares the resources of one account. */
    public static final class Account {

        private final String account;
        private final List<Declaration> declarations;

        private Account(String account, List<Declaration> declarations) {
            this.account = account;
            this.declarations = declarations;
        }

        /**
         * Declares a table whose entities have one Java type.
         *
         * @param name the table's name
         * @param type a record or an immutable class with {@code @PartitionKey} and {@code @RowKey}
         * @return the declaration, which may be given another bean name
         */
        public Declaration table(String name, Class<?> type) {
            return table(type, name, client -> client.table(name, type));
        }

        /**
         * Declares a table with a mapping.
         *
         * @param name the table's name
         * @param type a record or an immutable class with {@code @PartitionKey} and {@code @RowKey}
         * @param mapping changes the standard mapping
         * @return the declaration, which may be given another bean name
         */
        public Declaration table(String name, Class<?> type, UnaryOperator<Mapping.Builder> mapping) {
            Objects.requireNonNull(mapping, "mapping");
            return table(type, name, client -> client.table(name, type, mapping));
        }

        /**
         * Declares a table with a repository over it, which is the bean.
         *
         * @param table the table's name
         * @param type an interface that extends {@code TableRepository} or {@code ReactiveTableRepository}
         * @param <T> the type of the entities
         * @return the declaration, which may be given another bean name
         */
        public <T> Declaration repository(String table, Class<? extends StowlineRepository<T>> type) {
            return repository(table, type, UnaryOperator.identity());
        }

        /**
         * Declares a table with a repository that has indexes or composite keys.
         *
         * @param table the table's name
         * @param type an interface that extends {@code TableRepository} or {@code ReactiveTableRepository}
         * @param keys adds indexes and formats of the keys
         * @param <T> the type of the entities
         * @return the declaration, which may be given another bean name
         */
        @SuppressWarnings("unchecked") // the generic of the repository is the type of the entities
        public <T> Declaration repository(
                String table,
                Class<? extends StowlineRepository<T>> type,
                UnaryOperator<TableRepositoryFactory<T>> keys) {
            Objects.requireNonNull(keys, "keys");
            ResolvableType entities =
                    ResolvableType.forClass(type).as(StowlineRepository.class).getGeneric(0);
            Declaration declaration = declare(
                    Kind.TABLE,
                    table,
                    new Faces<>(
                            ResolvableType.forClass(type),
                            null,
                            client -> keys.apply(TableRepositoryFactory.of(
                                            client.table(table, (Class<T>) entities.toClass())))
                                    .create(type),
                            Function.identity()));
            declaration.qualify(StringUtils.uncapitalize(type.getSimpleName()));
            return declaration;
        }

        /**
         * Declares a queue.
         *
         * @param name the queue's name
         * @param type the type of the message bodies
         * @return the declaration, which may be given another bean name
         */
        public Declaration queue(String name, Class<?> type) {
            return queue(type, name, client -> client.queue(name, type));
        }

        /**
         * Declares a queue as a view, such as one with envelopes.
         *
         * @param name the queue's name
         * @param type the type of the message bodies
         * @param view makes the view from the queue and the client of its account; it is called for each of the two beans
         * @param <T> the type of the message bodies
         * @return the declaration, which may be given another bean name
         */
        public <T> Declaration queue(
                String name, Class<T> type, BiFunction<MessageQueue<T>, Stowline, MessageQueue<T>> view) {
            Objects.requireNonNull(view, "view");
            return queue(type, name, client -> viewed(client.queue(name, type), client, view));
        }

        private static <T> MessageQueue<T> viewed(
                MessageQueue<T> queue, Stowline client, BiFunction<MessageQueue<T>, Stowline, MessageQueue<T>> view) {
            MessageQueue<T> viewed = Objects.requireNonNull(view.apply(queue, client), "the result of view");
            if (!viewed.name().equals(queue.name())) {
                throw new IllegalArgumentException(
                        "view must return a view of the queue " + queue.name() + ", not of " + viewed.name());
            }
            return viewed;
        }

        private Declaration queue(Class<?> type, String name, Function<Stowline, MessageQueue<?>> queue) {
            return declare(
                    Kind.QUEUE,
                    name,
                    new Faces<>(
                            ResolvableType.forClassWithGenerics(MessageQueue.class, type),
                            ResolvableType.forClassWithGenerics(ReactiveMessageQueue.class, type),
                            queue,
                            MessageQueue::reactive));
        }

        /**
         * Declares a container.
         *
         * @param name the container's name
         * @return the declaration, which may be given another bean name
         */
        public Declaration container(String name) {
            return declare(
                    Kind.CONTAINER,
                    name,
                    new Faces<>(
                            ResolvableType.forClass(BlobContainer.class),
                            ResolvableType.forClass(ReactiveBlobContainer.class),
                            client -> client.container(name),
                            BlobContainer::reactive));
        }

        private Declaration table(Class<?> type, String name, Function<Stowline, Table<?>> table) {
            return declare(
                    Kind.TABLE,
                    name,
                    new Faces<>(
                            ResolvableType.forClassWithGenerics(Table.class, type),
                            ResolvableType.forClassWithGenerics(ReactiveTable.class, type),
                            table,
                            Table::reactive));
        }

        private Declaration declare(Kind kind, String name, Faces<?> faces) {
            Declaration declaration = new Declaration(account, kind, Objects.requireNonNull(name, "name"), faces);
            declarations.add(declaration);
            return declaration;
        }
    }

    /** The blocking and the reactive bean of a resource: their types, and how they are made. A repository has one face only. */
    private record Faces<B>(
            ResolvableType blockingType,
            @Nullable ResolvableType reactiveType,
            Function<Stowline, B> blocking,
            Function<B, Object> reactive) {

        void register(BeanRegistry registry, DeclaredResource resource, String reactiveName) {
            registry.<B>registerBean(
                    resource.beanName(),
                    ParameterizedTypeReference.forType(blockingType.getType()),
                    spec -> spec.supplier(context -> make(context, resource)));
            if (reactiveType != null) {
                registry.registerBean(
                        reactiveName,
                        ParameterizedTypeReference.forType(reactiveType.getType()),
                        spec -> spec.supplier(context -> reactive.apply(make(context, resource))));
            }
        }

        private B make(SupplierContext context, DeclaredResource resource) {
            AccountClients clients = context.beanProvider(AccountClients.class).getIfAvailable();
            if (clients == null) {
                throw failure(
                        resource,
                        "this context has no clients, since Stowline's auto-configuration is not part of it. That is"
                                + " so in test slices of other libraries, such as @WebMvcTest",
                        "Replace the bean in the test, such as by a field with @MockitoBean, or give the slice the"
                                + " clients: '@ImportAutoConfiguration(StowlineAutoConfiguration.class)', with"
                                + " '@Import(MemoryDevServices.class)' in memory.",
                        null);
            }
            Stowline client = clients.client("A StowlineBeans", resource.account());
            try {
                return blocking.apply(client);
            } catch (IllegalArgumentException e) {
                throw failure(resource, e.getMessage(), "Correct the declaration, or the Java type that it names.", e);
            }
        }

        private static StowlineConfigurationException failure(
                DeclaredResource resource, @Nullable String reason, String action, @Nullable Exception cause) {
            return new StowlineConfigurationException(
                    "The " + resource.kind().name().toLowerCase(Locale.ROOT) + " '" + resource.name()
                            + "' that a StowlineBeans declares as bean '" + resource.beanName() + "' cannot be made: "
                            + reason + (cause == null ? "." : ""),
                    action,
                    cause);
        }
    }

    /** One declared resource. */
    public static final class Declaration {

        private final String account;
        private final Kind kind;
        private final String name;
        private final Faces<?> faces;
        private String qualifier;
        private String beanName;

        private Declaration(String account, Kind kind, String name, Faces<?> faces) {
            this.account = account;
            this.kind = kind;
            this.name = name;
            this.faces = faces;
            this.qualifier = qualified(name);
            this.beanName = qualifier + StringUtils.capitalize(kind.name().toLowerCase(Locale.ROOT));
        }

        /**
         * Gives the bean another name. Its qualifier stays.
         *
         * @param beanName the name of the blocking bean
         */
        public void beanName(String beanName) {
            this.beanName = Objects.requireNonNull(beanName, "beanName");
        }

        /** Names a bean by its type in place of the resource. */
        private void qualify(String type) {
            qualifier = qualified(type);
            beanName = qualifier;
        }

        private String qualified(String simple) {
            return AccountClients.MAIN.equals(account) ? simple : account + StringUtils.capitalize(simple);
        }

        private DeclaredResource resource() {
            return new DeclaredResource(account, kind, name, beanName);
        }

        private void register(BeanRegistry registry, Map<String, String> qualifiers) {
            String reactiveName = "reactive" + StringUtils.capitalize(beanName);
            faces.register(registry, resource(), reactiveName);
            qualifiers.put(beanName, qualifier);
            if (faces.reactiveType() != null) {
                qualifiers.put(reactiveName, qualifier);
            }
        }
    }
}
