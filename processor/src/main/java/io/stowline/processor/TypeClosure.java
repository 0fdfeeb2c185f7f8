package io.stowline.processor;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/**
 * The types that the mapping of a type reaches by reflection: itself, the values that are nested in it, its converters, and the sealed types that permit
 * it. Annotations are known by their names, so that the processor path needs no other jar.
 */
final class TypeClosure {

    /** The package of the annotations of the mapping. */
    static final String MARKS = "io.stowline.projection";

    private static final String NESTED = MARKS + ".Nested";
    private static final String CONVERTED = MARKS + ".Converted";

    private final Elements elements;
    private final Types types;
    private final Set<String> registered;
    private final Set<TypeElement> withFields = new HashSet<>();

    TypeClosure(Elements elements, Types types, Set<String> registered) {
        this.elements = elements;
        this.types = types;
        this.registered = registered;
    }

    /** Returns whether an annotation is one of the mapping. */
    static boolean isMark(TypeElement annotation) {
        String name = annotation.getQualifiedName().toString();
        return name.startsWith(MARKS + ".") && name.indexOf('.', MARKS.length() + 1) < 0;
    }

    /** Returns the type in which an annotated element stands. */
    static Optional<TypeElement> typeOf(Element annotated) {
        Element element = annotated;
        while (element != null && !(element instanceof TypeElement)) {
            element = element.getEnclosingElement();
        }
        return element instanceof TypeElement type && type.getKind() != ElementKind.ANNOTATION_TYPE
                ? Optional.of(type)
                : Optional.empty();
    }

    /** Returns the name of the type that holds a type, or of itself. */
    static String topLevel(TypeElement type) {
        TypeElement outermost = type;
        while (outermost.getEnclosingElement() instanceof TypeElement outer) {
            outermost = outer;
        }
        return outermost.getQualifiedName().toString();
    }

    /** Adds a type of entities. */
    void add(TypeElement type) {
        if (!registered.add(elements.getBinaryName(type).toString())) {
            return;
        }
        addSealedParents(type);
        ElementFilter.recordComponentsIn(type.getEnclosedElements())
                .forEach(component -> addValues(component, component.asType()));
        for (ExecutableElement constructor : ElementFilter.constructorsIn(type.getEnclosedElements())) {
            constructor.getParameters().forEach(parameter -> addValues(parameter, parameter.asType()));
        }
    }

    /** Adds the sealed types above a type: the mapping reads which types they permit. */
    private void addSealedParents(TypeElement type) {
        for (TypeMirror parent : types.directSupertypes(type.asType())) {
            if (types.asElement(parent) instanceof TypeElement family
                    && family.getModifiers().contains(Modifier.SEALED)
                    && registered.add(elements.getBinaryName(family).toString())) {
                addSealedParents(family);
            }
        }
    }

    private void addValues(Element component, TypeMirror declared) {
        for (AnnotationMirror mark : component.getAnnotationMirrors()) {
            String name = mark.getAnnotationType().toString();
            if (name.equals(NESTED)) {
                addElement(declared);
            } else if (name.equals(CONVERTED)) {
                mark.getElementValues().values().forEach(converter -> {
                    if (converter.getValue() instanceof DeclaredType type) {
                        addElement(type);
                    }
                });
            }
        }
    }

    /** Adds a type, or the type inside an {@code Optional}. */
    private void addElement(TypeMirror declared) {
        if (declared instanceof DeclaredType type && type.asElement() instanceof TypeElement element) {
            if (!isOfTheJdk(element)) {
                add(element);
            }
            type.getTypeArguments().forEach(this::addElement);
        }
    }

    /** Adds a type and the types of its fields, as a codec of JSON reaches them. */
    void addWithFields(TypeElement type) {
        if (isOfTheJdk(type) || !withFields.add(type)) {
            return;
        }
        add(type);
        if (type.getModifiers().contains(Modifier.SEALED)) {
            type.getPermittedSubclasses().forEach(this::addFieldType);
        }
        List<? extends Element> fields = ElementFilter.fieldsIn(type.getEnclosedElements());
        fields.stream()
                .filter(field -> !field.getModifiers().contains(Modifier.STATIC))
                .forEach(field -> addFieldType(field.asType()));
    }

    private void addFieldType(@Nullable TypeMirror declared) {
        if (declared instanceof ArrayType array) {
            addFieldType(array.getComponentType());
        } else if (declared instanceof DeclaredType type && type.asElement() instanceof TypeElement element) {
            addWithFields(element);
            type.getTypeArguments().forEach(this::addFieldType);
        }
    }

    static boolean isOfTheJdk(TypeElement type) {
        return type.getQualifiedName().toString().startsWith("java.");
    }
}
