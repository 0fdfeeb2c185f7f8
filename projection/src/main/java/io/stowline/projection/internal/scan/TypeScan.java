package io.stowline.projection.internal.scan;

import io.stowline.projection.Default;
import io.stowline.projection.EntityType;
import io.stowline.projection.Ignore;
import io.stowline.projection.Mapping;
import io.stowline.projection.Nested;
import io.stowline.projection.UnmappableTypeException;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.projection.internal.read.DefaultMask;
import io.stowline.projection.internal.read.DefaultMask.MaskedParameter;
import io.stowline.projection.internal.read.DefaultParser;
import io.stowline.projection.internal.read.MissingValue;
import io.stowline.projection.internal.read.NestedReader;
import io.stowline.projection.internal.read.ReaderArgument;
import io.stowline.projection.internal.read.ReaderAssembly;
import io.stowline.projection.internal.read.ValueReader;
import io.stowline.projection.internal.read.ValueReaders;
import io.stowline.projection.internal.type.AnnotationRules;
import io.stowline.projection.internal.type.ComponentType;
import io.stowline.projection.internal.type.MappedComponent;
import io.stowline.projection.internal.type.MappedComponent.Argument;
import io.stowline.projection.internal.type.PropertyDescriptor;
import io.stowline.projection.internal.type.SystemComponent;
import io.stowline.projection.internal.type.SystemProperty;
import io.stowline.projection.internal.type.TypeAccess;
import io.stowline.projection.internal.type.TypeComponents;
import io.stowline.projection.internal.type.TypeConstructor;
import io.stowline.projection.internal.write.ComponentWriter;
import io.stowline.projection.internal.write.ComponentWriter.InstanceWriter;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A scan that reads the components of one type by the rules of {@link EntityType}, and refuses what breaks them. */
public final class TypeScan {

    /** The place of a component that is no property. */
    private static final int NEVER_READ = -1;
    /** Fewer components than a method handle takes, where each counts twice. */
    private static final int SURELY_COMPOSED = 100;

    private final MappingBuilder registration;
    private final NestPath path;
    private final TypeComponents anatomy;
    private final List<ReaderArgument> arguments = new ArrayList<>();
    private final List<ValueReader> slots = new ArrayList<>();
    private final List<NestedReader.Inner> nested = new ArrayList<>();
    private final List<ComponentWriter> writes = new ArrayList<>();
    private final List<List<MaskedParameter>> masked = new ArrayList<>();

    private TypeScan(MappingBuilder registration, NestPath path) {
        this.registration = registration;
        this.path = path;
        anatomy = TypeComponents.of(path.type());
        for (int mask = 0; mask < anatomy.masks(); mask++) {
            masked.add(new ArrayList<>());
        }
    }

    public static TypeShape shape(Class<?> type, Mapping mapping) {
        MappingBuilder registration = new MappingBuilder(type, mapping);
        TypeScan scan = new TypeScan(registration, NestPath.root(type));
        scan.scan();
        return registration.shape(scan.part(), scan.writes);
    }

    private void scan() {
        for (MappedComponent component : anatomy.components()) {
            try {
                scan(component);
            } catch (IllegalArgumentException e) {
                throw refused(component, e);
            }
        }
    }

    private NestedReader part() {
        List<DefaultMask> masks = new ArrayList<>();
        for (List<MaskedParameter> parameters : masked) {
            int position = registration.nextPosition();
            masks.add(new DefaultMask(position, parameters));
            arguments.add(ReaderArgument.bits(position, int.class));
        }
        anatomy.marker().map(ReaderArgument::nothing).ifPresent(arguments::add);
        TypeConstructor constructor = anatomy.constructor();
        List<ReaderArgument> found = List.copyOf(arguments);
        NestedReader part = new NestedReader(slots, nested, masks, () -> ReaderAssembly.of(constructor, found));
        if (found.size() > SURELY_COMPOSED) {
            try {
                part.compose();
            } catch (IllegalArgumentException e) {
                throw TypeAccess.tooMany(path.root(), found.size(), e);
            }
        }
        return part;
    }

    private void scan(MappedComponent component) {
        AnnotationRules.check(component);
        SystemProperty role = AnnotationRules.role(component);
        if (role != null) {
            role(role, component);
        } else if (component.has(Ignore.class)) {
            mask(component, NEVER_READ, false, null);
            arguments.add(ReaderArgument.nothing(component.rawType()));
        } else if (component.has(Nested.class)) {
            nested(component);
        } else {
            property(component);
        }
    }

    /** Gives a component with a default argument its bit, which is that of the next argument. */
    private void mask(MappedComponent component, int position, boolean bits, @Nullable Object unread) {
        if (component.argument() == Argument.MASKED) {
            int index = arguments.size();
            masked.get(index / Integer.SIZE).add(new MaskedParameter(index % Integer.SIZE, position, bits, unread));
        }
    }

    private void role(SystemProperty role, MappedComponent component) {
        if (path.nested()) {
            throw new IllegalArgumentException(
                    "a nested value has no @" + role.mark().getSimpleName());
        }
        role.check(component.declared());
        int position = registration.nextPosition();
        registration.add(role, SystemComponent.of(role, component, position));
        mask(component, position, false, null);
        arguments.add(ReaderArgument.value(position, component.rawType(), false));
    }

    private void nested(MappedComponent component) {
        Type type = ComponentType.inside(component.declared());
        Nested mark = component.mark(Nested.class);
        if (!(type instanceof Class<?> inner) || mark == null) {
            throw new IllegalArgumentException(type.getTypeName() + " cannot be nested; a record or an immutable class"
                    + " without type parameters can");
        }
        TypeScan scan = new TypeScan(registration, path.inside(component, mark.separator(), inner));
        scan.scan();
        int position = registration.nextPosition();
        nested.add(new NestedReader.Inner(position, scan.part(), absence(component, inner)));
        mask(component, position, false, null);
        writes.add(ComponentWriter.nested(component.getter().reference(), new InstanceWriter(inner, scan.writes)));
        arguments.add(ReaderArgument.value(position, component.rawType(), type != component.declared()));
    }

    private void property(MappedComponent component) {
        ComponentType type = ComponentType.of(component, registration.mapping());
        String name = checkedName(path.property(component));
        int position = registration.nextPosition();
        ValueReader slot = ValueReaders.of(type.form(), target(component, type, name, position));
        PropertyDescriptor property =
                new PropertyDescriptor(name, path.component(component), !type.primitive(), type.form());
        int index = registration.add(property, slot);
        slots.add(slot);
        writes.add(ComponentWriter.of(type, component.getter(), property, index));
        boolean boxed = type.primitive() && !type.bits();
        mask(component, position, type.bits(), boxed ? MissingValue.zero(component.rawType()) : null);
        arguments.add(
                type.bits()
                        ? ReaderArgument.bits(position, component.rawType())
                        : ReaderArgument.value(position, component.rawType(), type.optional()));
    }

    private ValueReader.ReadTarget target(MappedComponent component, ComponentType type, String name, int position) {
        String wanted = wanted(component, type.name());
        ValueReader.ReadTarget strict =
                new ValueReader.ReadTarget(name, position, wanted, type.bits(), MissingValue.refusal(name, wanted));
        return new ValueReader.ReadTarget(name, position, wanted, type.bits(), absence(component, type, strict));
    }

    private MissingValue absence(MappedComponent component, Class<?> nestedType) {
        return component.argument() == Argument.REQUIRED
                ? MissingValue.refusal(path.property(component), wanted(component, nestedType.getSimpleName()))
                : MissingValue.NOTHING;
    }

    private String wanted(MappedComponent component, String type) {
        return String.join(
                "",
                type,
                " (component ",
                path.component(component),
                " of ",
                path.root().getName(),
                ")");
    }

    private MissingValue absence(MappedComponent component, ComponentType type, ValueReader.ReadTarget strict) {
        Default text = component.mark(Default.class);
        if (text != null) {
            return DefaultParser.read(text.value(), type, strict);
        }
        if (component.argument() == Argument.REQUIRED) {
            return strict.absence();
        }
        if (!type.primitive() || component.argument() == Argument.MASKED) {
            return MissingValue.NOTHING;
        }
        return registration.mapping().zeroForMissing()
                ? MissingValue.zero(component.rawType(), !type.bits())
                : strict.absence();
    }

    private static String checkedName(String name) {
        try {
            return PropertyNames.check(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    e.getMessage() + "; @Property gives another name, @PartitionKey, @RowKey and"
                            + " @Timestamp mark the service's own properties",
                    e);
        }
    }

    private UnmappableTypeException refused(MappedComponent component, IllegalArgumentException cause) {
        if (cause instanceof UnmappableTypeException stated && stated.type() == path.root()) {
            return stated;
        }
        return new UnmappableTypeException(
                path.root(), path.component(component), String.valueOf(cause.getMessage()), cause.getCause());
    }

    /**
     * The place of a scan in the registered type.
     *
     * @param prefix what stands before the names of properties
     * @param components what stands before the names of components
     * @param types the type that is scanned, after those around it
     */
    private record NestPath(String prefix, String components, List<Class<?>> types) {

        static NestPath root(Class<?> type) {
            return new NestPath("", "", List.of(type));
        }

        Class<?> root() {
            return types.get(0);
        }

        Class<?> type() {
            return types.get(types.size() - 1);
        }

        boolean nested() {
            return types.size() > 1;
        }

        String component(MappedComponent component) {
            return components + component.name();
        }

        String property(MappedComponent component) {
            return prefix + component.propertyName();
        }

        /** Throws {@code IllegalArgumentException} with the reason for a type that holds itself. */
        NestPath inside(MappedComponent component, String separator, Class<?> type) {
            if (types.contains(type)) {
                throw new IllegalArgumentException(type.getTypeName() + " holds itself, so it has no end");
            }
            List<Class<?>> deeper = new ArrayList<>(types);
            deeper.add(type);
            return new NestPath(property(component) + separator, component(component) + ".", List.copyOf(deeper));
        }
    }
}
