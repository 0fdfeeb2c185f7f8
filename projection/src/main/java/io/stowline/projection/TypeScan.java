package io.stowline.projection;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;

/** Reads the components of one type by the rules of {@link EntityType}, and refuses what breaks them. */
final class TypeScan {

    private final Registration registration;
    private final NestPath path;
    private final Anatomy anatomy;
    private final List<MethodHandle> arguments = new ArrayList<>();
    private final List<Slot> slots = new ArrayList<>();
    private final List<Part.Inner> nested = new ArrayList<>();
    private final List<ComponentWrite> writes = new ArrayList<>();

    private TypeScan(Registration registration, NestPath path) {
        this.registration = registration;
        this.path = path;
        anatomy = Anatomy.of(path.type());
    }

    static TypeShape shape(Class<?> type, Mapping mapping) {
        Registration registration = new Registration(type, mapping);
        TypeScan scan = new TypeScan(registration, NestPath.root(type));
        scan.scan();
        return registration.shape(scan.part(), scan.writes);
    }

    private void scan() {
        for (Component component : anatomy.components()) {
            try {
                scan(component);
            } catch (IllegalArgumentException e) {
                throw refused(component, e);
            }
        }
    }

    private Part part() {
        try {
            return new Part(slots, nested, Assembly.compose(anatomy.constructor(), arguments));
        } catch (IllegalArgumentException e) {
            throw TypeAccess.tooMany(path.root(), arguments.size(), e);
        }
    }

    private void scan(Component component) {
        Marks.check(component);
        Role role = Marks.role(component);
        if (role != null) {
            role(role, component);
        } else if (component.has(Ignore.class)) {
            arguments.add(Assembly.nothing(component.rawType()));
        } else if (component.has(Nested.class)) {
            nested(component);
        } else {
            property(component);
        }
    }

    private void role(Role role, Component component) {
        if (path.nested()) {
            throw new IllegalArgumentException(
                    "a nested value has no @" + role.mark().getSimpleName());
        }
        role.check(component.declared());
        int position = registration.nextPosition();
        registration.add(role, RoleComponent.of(role, component, position));
        arguments.add(Assembly.value(position, component.rawType(), false));
    }

    private void nested(Component component) {
        Type type = ComponentType.inside(component.declared());
        Nested mark = component.mark(Nested.class);
        if (!(type instanceof Class<?> inner) || mark == null) {
            throw new IllegalArgumentException(type.getTypeName() + " cannot be nested; a record or an immutable class"
                    + " without type parameters can");
        }
        TypeScan scan = new TypeScan(registration, path.inside(component, mark.separator(), inner));
        scan.scan();
        int position = registration.nextPosition();
        nested.add(new Part.Inner(position, scan.part()));
        writes.add(ComponentWrite.nested(component.getter().reference(), new InstanceWrite(inner, scan.writes)));
        arguments.add(Assembly.value(position, component.rawType(), type != component.declared()));
    }

    private void property(Component component) {
        ComponentType type = ComponentType.of(component, registration.mapping());
        String name = checkedName(path.property(component));
        int position = registration.nextPosition();
        Slot slot = Slots.of(type.form(), target(component, type, name, position));
        PropertyDescriptor property =
                new PropertyDescriptor(name, path.component(component), !type.primitive(), type.form());
        int index = registration.add(property, slot);
        slots.add(slot);
        writes.add(ComponentWrite.of(type, component.getter(), property, index));
        arguments.add(
                type.bits()
                        ? Assembly.bits(position, component.rawType())
                        : Assembly.value(position, component.rawType(), type.optional()));
    }

    private Slot.Target target(Component component, ComponentType type, String name, int position) {
        String wanted = type.name() + " (component " + path.component(component) + " of "
                + path.root().getName() + ")";
        Slot.Target strict = new Slot.Target(name, position, wanted, type.bits(), Absence.refusal(name, wanted));
        return new Slot.Target(name, position, wanted, type.bits(), absence(component, type, strict));
    }

    private Absence absence(Component component, ComponentType type, Slot.Target strict) {
        Default text = component.mark(Default.class);
        if (text != null) {
            return DefaultText.read(text.value(), type, strict);
        }
        if (!type.primitive()) {
            return Absence.NOTHING;
        }
        return registration.mapping().missing() == MissingProperty.REFUSE
                ? strict.absence()
                : Absence.zero(component.rawType(), !type.bits());
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

    /** What a nested scan has refused says it all. */
    private UnmappableTypeException refused(Component component, IllegalArgumentException cause) {
        if (cause instanceof UnmappableTypeException said && said.type() == path.root()) {
            return said;
        }
        return new UnmappableTypeException(
                path.root(), path.component(component), String.valueOf(cause.getMessage()), cause.getCause());
    }
}
