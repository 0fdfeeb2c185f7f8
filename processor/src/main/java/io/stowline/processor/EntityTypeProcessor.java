package io.stowline.processor;

import java.io.IOException;
import java.io.Writer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import javax.tools.StandardLocation;

/**
 * An annotation processor that registers the types of entities for reflection in native images, in files
 * {@code META-INF/native-image/io.stowline.types/TOP-LEVEL-TYPE/reachability-metadata.json} beside the classes. Each top-level type
 * with entities has its own file, with all that these reach, so that a compilation of a part of the sources keeps the rest.
 */
public final class EntityTypeProcessor extends AbstractProcessor {

    private static final String TYPES = "stowline.types";
    private static final String FOLDER = "META-INF/native-image/io.stowline.types/";
    private static final String OPTION_FOLDER = "META-INF/native-image/io.stowline.types.option/";

    /** Binary names by folder, in their order, so that the files are the same whatever the order of the sources. */
    private final Map<String, Set<String>> registered = new TreeMap<>();

    /** Made by the compiler. */
    public EntityTypeProcessor() {}

    /** Returns the annotations of the mapping; all if the option names types, since a source without annotations has them as well. */
    @Override
    public Set<String> getSupportedAnnotationTypes() {
        return Set.of(optionalTypes().isEmpty() ? TypeClosure.MARKS + ".*" : "*");
    }

    @Override
    public Set<String> getSupportedOptions() {
        return Set.of(TYPES);
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    /**
     * Collects the types of a round, and writes the files in the last one.
     *
     * @param annotations the annotations of the round
     * @param round the round
     * @return whether they are those of the mapping, which the compiler otherwise reports as unknown to each processor
     */
    @Override
    @SuppressWarnings(
            "DoNotClaimAnnotations") // the library's own, which -Xlint:processing reports if no processor claims them
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        List<? extends TypeElement> marks =
                annotations.stream().filter(TypeClosure::isMark).toList();
        for (TypeElement mark : marks) {
            for (Element annotated : round.getElementsAnnotatedWith(mark)) {
                TypeClosure.typeOf(annotated).ifPresent(type -> closure(FOLDER + TypeClosure.topLevel(type))
                        .add(type));
            }
        }
        if (round.processingOver()) {
            addOption();
            registered.forEach(this::write);
        }
        return !marks.isEmpty()
                && annotations.stream().allMatch(each -> TypeClosure.isMark(each) || TypeClosure.isOfTheJdk(each));
    }

    private TypeClosure closure(String folder) {
        return new TypeClosure(
                processingEnv.getElementUtils(),
                processingEnv.getTypeUtils(),
                registered.computeIfAbsent(folder, unused -> new TreeSet<>()));
    }

    private List<String> optionalTypes() {
        String names = processingEnv.getOptions().get(TYPES); // null as well if it has no value
        return names == null
                ? List.of()
                : Arrays.stream(names.split(",", -1))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .toList();
    }

    /** These types have a file apart: it depends on the option alone, whatever part of the sources is compiled. */
    private void addOption() {
        List<String> names = optionalTypes();
        if (names.isEmpty()) {
            return;
        }
        TypeClosure closure = closure(OPTION_FOLDER + names.get(0));
        for (String name : names) {
            TypeElement type = processingEnv.getElementUtils().getTypeElement(name);
            if (type == null) {
                error("the option " + TYPES + " names " + name
                        + ", which is no type of this compilation; use its canonical name");
            } else {
                closure.addWithFields(type);
            }
        }
    }

    private void write(String folder, Set<String> names) {
        if (names.isEmpty()) {
            return;
        }
        List<String> entries = names.stream()
                .map(name -> "    {\"type\": \"" + name
                        + "\", \"allDeclaredConstructors\": true, \"allDeclaredMethods\": true,"
                        + " \"allDeclaredFields\": true, \"allPublicMethods\": true}")
                .toList();
        try (Writer file = processingEnv
                .getFiler()
                .createResource(
                        StandardLocation.CLASS_OUTPUT, "", folder + "/reachability-metadata.json", new Element[0])
                .openWriter()) {
            file.write("{\n  \"reflection\": [\n" + String.join(",\n", entries) + "\n  ]\n}\n");
        } catch (IOException e) {
            error("the reachability metadata in " + folder + " cannot be written: " + e);
        }
    }

    private void error(String message) {
        processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, message);
    }
}
